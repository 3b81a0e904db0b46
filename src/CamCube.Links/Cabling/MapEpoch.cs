using System.Globalization;

namespace CamCube.Cabling;

/// <summary>When a map was made and by whom. The smaller one is older and wins. Pure data; any thread.</summary>
/// <param name="UnixMillis">The maker's clock, in milliseconds since 1970.</param>
/// <param name="Maker">The maker: decides between equal times.</param>
public readonly record struct MapEpoch(long UnixMillis, ServerId Maker) : IComparable<MapEpoch>
{
    /// <inheritdoc/>
    public int CompareTo(MapEpoch other) =>
        UnixMillis != other.UnixMillis ? UnixMillis.CompareTo(other.UnixMillis) : Maker.CompareTo(other.Maker);

    /// <summary>"2026-11-21 12:25:22 UTC by server 4f2c9e01".</summary>
    public override string ToString()
    {
        // Neighbours may say any number; the calendar ends in the year 9999.
        string when = UnixMillis is >= 0 and < 253_402_300_800_000
            ? DateTimeOffset
                .FromUnixTimeMilliseconds(UnixMillis)
                .ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture) + " UTC"
            : string.Create(CultureInfo.InvariantCulture, $"millisecond {UnixMillis}");
        return $"{when} by server {Maker.Short}";
    }
}
