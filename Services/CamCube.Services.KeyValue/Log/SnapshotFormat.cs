using System.Globalization;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// Files <c>index-0000002a.snap</c>: what all records up to a place come to, so that a start reads those behind it
/// only. A first sector as segments have it, written last, then blocks of 1 MiB, the last one shorter, each with a sum
/// that knows its place and its length in front. What is in them is one row of bytes.
/// </summary>
internal static class SnapshotFormat
{
    /// <summary>Bytes of a block.</summary>
    public const int BlockBytes = 1 << 20;

    /// <summary>Bytes in front of what is in a block: the sum, and how much there is.</summary>
    public const int BlockHead = 8;

    /// <summary>What stands at the end.</summary>
    public const uint End = 0x444E_4558;

    private const ulong Magic = 0x5845_444E_4953_4B44;
    private const string Prefix = "index-";
    private const string Suffix = ".snap";

    public static string NameOf(uint number) =>
        string.Create(CultureInfo.InvariantCulture, $"{Prefix}{number:x8}{Suffix}");

    public static bool TryNumber(string name, out uint number)
    {
        number = 0;
        return name.Length == Prefix.Length + 8 + Suffix.Length
            && name.StartsWith(Prefix, StringComparison.Ordinal)
            && name.EndsWith(Suffix, StringComparison.Ordinal)
            && uint.TryParse(
                name.AsSpan(Prefix.Length, 8),
                NumberStyles.AllowHexSpecifier,
                CultureInfo.InvariantCulture,
                out number
            );
    }

    /// <summary>Writes the first sector.</summary>
    /// <param name="sector">Where to.</param>
    /// <param name="log">The log.</param>
    /// <param name="store">The incarnation of the store's id.</param>
    /// <param name="number">The number of the snapshot.</param>
    /// <param name="length">The length of the file.</param>
    public static void Write(Span<byte> sector, LogIdentity log, ulong store, uint number, long length)
    {
        SegmentFormat.Write(sector, Magic, log, number);
        WriteUInt64LittleEndian(sector[32..], store);
        WriteInt64LittleEndian(sector[40..], length);
        SegmentFormat.Seal(sector);
    }

    /// <summary>Whether a first sector is of this format, of this store, and of a file of this length.</summary>
    public static bool IsRight(ReadOnlySpan<byte> sector, LogIdentity log, ulong store, uint number, long length) =>
        SegmentFormat.TryRead(sector, Magic, number, out uint version, out LogIdentity of)
        && version == SegmentFormat.Version
        && of == log
        && ReadUInt64LittleEndian(sector[32..]) == store
        && ReadInt64LittleEndian(sector[40..]) == length;

    /// <summary>Sets the head of a block.</summary>
    public static void Seal(Span<byte> block, LogIdentity log, uint number, long offset)
    {
        WriteUInt32LittleEndian(block[4..], (uint)block.Length);
        WriteUInt32LittleEndian(block, SumOf(block, log, number, offset));
    }

    /// <summary>Whether a block is as it was written there.</summary>
    public static bool IsRight(ReadOnlySpan<byte> block, LogIdentity log, uint number, long offset) =>
        block.Length >= BlockHead
        && ReadUInt32LittleEndian(block[4..]) == block.Length
        && ReadUInt32LittleEndian(block) == SumOf(block, log, number, offset);

    private static uint SumOf(ReadOnlySpan<byte> block, LogIdentity log, uint number, long offset) =>
        Sectors.Sum(Sectors.Seed(log, ~number, offset), block[4..]);
}
