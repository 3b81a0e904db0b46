using System.Buffers.Binary;

namespace CamCube.Services.Distribution.Wire;

/// <summary>What a source tells a server of a job, 38 bytes, little-endian: SHA-256 of the manifest 32; who gives it to
/// that server, 3 × 2. So whoever gives it, the manifest is the source's.</summary>
/// <param name="Digest">SHA-256 of the manifest as it travels.</param>
/// <param name="Giver">Whom to ask for it.</param>
internal readonly record struct JobNotice(byte[] Digest, Coordinate Giver)
{
    /// <summary>Its bytes.</summary>
    public const int Length = Manifest.HashLength + (3 * sizeof(ushort));

    /// <summary>Writes it.</summary>
    public byte[] Write()
    {
        byte[] bytes = [.. Digest, .. new byte[3 * sizeof(ushort)]];
        Span<byte> giver = bytes.AsSpan(Manifest.HashLength);
        BinaryPrimitives.WriteUInt16LittleEndian(giver, Giver.X);
        BinaryPrimitives.WriteUInt16LittleEndian(giver[2..], Giver.Y);
        BinaryPrimitives.WriteUInt16LittleEndian(giver[4..], Giver.Z);
        return bytes;
    }

    /// <summary>Reads it. Null: it is none, or names a server that the cube does not have.</summary>
    public static JobNotice? TryRead(ReadOnlySpan<byte> from, TorusShape shape)
    {
        if (from.Length != Length)
        {
            return null;
        }

        ReadOnlySpan<byte> at = from[Manifest.HashLength..];
        var giver = new Coordinate(
            BinaryPrimitives.ReadUInt16LittleEndian(at),
            BinaryPrimitives.ReadUInt16LittleEndian(at[2..]),
            BinaryPrimitives.ReadUInt16LittleEndian(at[4..])
        );
        return shape.Contains(giver) ? new JobNotice(from[..Manifest.HashLength].ToArray(), giver) : null;
    }
}
