using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Operations;

/// <summary>What came of a request, as it is remembered and told again.</summary>
/// <param name="Status">Done, or why not.</param>
/// <param name="Version">The version that it made, or the one in its way.</param>
internal readonly record struct Outcome(KeyValueStatus Status, ulong Version)
{
    /// <summary>Bytes on the wire and on the disk.</summary>
    public const int Length = 1 + sizeof(ulong);

    public void WriteTo(Span<byte> bytes)
    {
        bytes[0] = (byte)Status;
        WriteUInt64LittleEndian(bytes[1..], Version);
    }

    /// <summary>Of bytes of that length.</summary>
    public static Outcome ReadFrom(ReadOnlySpan<byte> bytes) =>
        new((KeyValueStatus)bytes[0], ReadUInt64LittleEndian(bytes[1..]));
}
