using System.Globalization;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// Files of a log: <c>store</c> (two sectors, each the whole of it) says whose log it is, and segments
/// <c>seg-0000002a.log</c> hold the batches, each behind a first sector that says whose segment it is. Both begin with
/// a word of their kind, the version of the format, and the log's identity.
/// </summary>
internal static class SegmentFormat
{
    public const string StoreName = "store";
    public const uint Version = 1;
    public const ulong StoreMagic = 0x4552_4F54_534B_4343;
    public const ulong SegmentMagic = 0x544E_454D_4753_4B43;
    private const string Prefix = "seg-";
    private const string Suffix = ".log";
    private const string HintSuffix = ".hint";
    private const int SumAt = Sectors.Size - sizeof(uint);

    public static string NameOf(uint segment) =>
        string.Create(CultureInfo.InvariantCulture, $"{Prefix}{segment:x8}{Suffix}");

    public static string HintOf(uint segment) =>
        string.Create(CultureInfo.InvariantCulture, $"{Prefix}{segment:x8}{HintSuffix}");

    public static bool TryNumber(string name, out uint segment) => TryNumber(name, Suffix, out segment);

    public static bool TryHint(string name, out uint segment) => TryNumber(name, HintSuffix, out segment);

    /// <summary>Writes a sector that says whose file it is.</summary>
    /// <param name="sector">Where to.</param>
    /// <param name="magic">The kind of file.</param>
    /// <param name="log">The log.</param>
    /// <param name="number">The segment, or which of the two.</param>
    public static void Write(Span<byte> sector, ulong magic, LogIdentity log, uint number)
    {
        sector.Clear();
        WriteUInt64LittleEndian(sector, magic);
        WriteUInt32LittleEndian(sector[8..], Version);
        WriteUInt32LittleEndian(sector[12..], number);
        WriteUInt16LittleEndian(sector[16..], (ushort)log.Server.X);
        WriteUInt16LittleEndian(sector[18..], (ushort)log.Server.Y);
        WriteUInt16LittleEndian(sector[20..], (ushort)log.Server.Z);
        WriteUInt64LittleEndian(sector[24..], log.Incarnation);
        Seal(sector);
    }

    /// <summary>Sets the sum of such a sector.</summary>
    public static void Seal(Span<byte> sector) =>
        WriteUInt32LittleEndian(sector[SumAt..], Sectors.Sum(uint.MaxValue, sector[..SumAt]));

    /// <summary>Reads such a sector. False: it is none, of this or any other version.</summary>
    /// <param name="sector">The sector.</param>
    /// <param name="magic">The kind of file.</param>
    /// <param name="number">The segment, or which of the two.</param>
    /// <param name="version">The version of the format; if it is another one, nothing else is said.</param>
    /// <param name="log">The log it is of.</param>
    public static bool TryRead(
        ReadOnlySpan<byte> sector,
        ulong magic,
        uint number,
        out uint version,
        out LogIdentity log
    )
    {
        (version, log) = (0, default);
        if (sector.Length < Sectors.Size || ReadUInt64LittleEndian(sector) != magic)
        {
            return false;
        }

        version = ReadUInt32LittleEndian(sector[8..]);

        // A later version keeps these first bytes and the sum, so that a bit that turned over is no later version.
        if (ReadUInt32LittleEndian(sector[SumAt..]) != Sectors.Sum(uint.MaxValue, sector[..SumAt]))
        {
            return false;
        }

        if (version != Version)
        {
            return true;
        }

        log = new LogIdentity(
            new Coordinate(
                ReadUInt16LittleEndian(sector[16..]),
                ReadUInt16LittleEndian(sector[18..]),
                ReadUInt16LittleEndian(sector[20..])
            ),
            ReadUInt64LittleEndian(sector[24..])
        );
        return ReadUInt32LittleEndian(sector[12..]) == number;
    }

    private static bool TryNumber(string name, string suffix, out uint segment)
    {
        segment = 0;
        return name.Length == Prefix.Length + 8 + suffix.Length
            && name.StartsWith(Prefix, StringComparison.Ordinal)
            && name.EndsWith(suffix, StringComparison.Ordinal)
            && uint.TryParse(
                name.AsSpan(Prefix.Length, 8),
                NumberStyles.AllowHexSpecifier,
                CultureInfo.InvariantCulture,
                out segment
            );
    }
}
