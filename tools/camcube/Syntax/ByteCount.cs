using System.Globalization;

namespace CamCube.Tool.Syntax;

/// <summary>A number of bytes as people write it: "100MB", "1.5GiB", "4096".</summary>
/// <param name="Bytes">Bytes, from 1.</param>
internal readonly record struct ByteCount(long Bytes)
{
    private const double Most = 100e12;

    private static readonly (string Name, double Factor)[] Units =
    [
        ("KiB", 1L << 10),
        ("MiB", 1L << 20),
        ("GiB", 1L << 30),
        ("TiB", 1L << 40),
        ("kB", 1e3),
        ("MB", 1e6),
        ("GB", 1e9),
        ("TB", 1e12),
        ("B", 1),
        ("", 1),
    ];

    /// <summary>Reads a number and its unit, from 1 byte to 100 TB.</summary>
    public static bool TryParse(string text, out ByteCount count)
    {
        bool ok = Quantity.TryParse(text, Units, out double bytes) && bytes is >= 1 and <= Most;
        count = ok ? new ByteCount((long)Math.Round(bytes)) : default;
        return ok;
    }

    /// <summary>In the largest decimal unit of which there is one.</summary>
    public override string ToString() =>
        Bytes switch
        {
            >= 1_000_000_000_000 => Text(1e12, "TB"),
            >= 1_000_000_000 => Text(1e9, "GB"),
            >= 1_000_000 => Text(1e6, "MB"),
            >= 1_000 => Text(1e3, "kB"),
            _ => Text(1, "B"),
        };

    private string Text(double unit, string name) =>
        string.Create(CultureInfo.InvariantCulture, $"{Bytes / unit:0.##} {name}");
}
