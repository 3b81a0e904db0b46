using System.Buffers.Binary;

namespace CamCube.Services.Workloads.Messages;

/// <summary>
/// Body of a message of <see cref="RoamingService"/>, little-endian: for whom 8 (id of the endpoint), who sent it 4,
/// its number among that sender's messages to that endpoint 4. More may follow.
/// </summary>
/// <param name="To">For whom.</param>
/// <param name="Sender">Who sent it.</param>
/// <param name="Number">From 0.</param>
internal readonly record struct RoamingBody(ulong To, int Sender, int Number)
{
    /// <summary>Bytes of the fields.</summary>
    public const int Length = 16;

    /// <summary>Most messages of one sender that are told apart.</summary>
    public const int MostNumbers = 1 << 20;

    /// <summary>Writes the fields.</summary>
    public void Write(Span<byte> bytes)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, To);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[8..], Sender);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[12..], Number);
    }

    /// <summary>Reads the fields. False: it is none.</summary>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out RoamingBody body)
    {
        body = default;
        if (bytes.Length < Length)
        {
            return false;
        }

        body = new RoamingBody(
            BinaryPrimitives.ReadUInt64LittleEndian(bytes),
            BinaryPrimitives.ReadInt32LittleEndian(bytes[8..]),
            BinaryPrimitives.ReadInt32LittleEndian(bytes[12..])
        );
        return body.Sender >= 0 && (uint)body.Number < MostNumbers;
    }
}
