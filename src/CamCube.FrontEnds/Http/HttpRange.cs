using Microsoft.Net.Http.Headers;

namespace CamCube.FrontEnds.Http;

/// <summary>Bytes of an entity that a client asks for (RFC 9110, 14).</summary>
/// <param name="From">The first byte.</param>
/// <param name="Length">How many; at least 1.</param>
public readonly record struct HttpRange(long From, long Length)
{
    /// <summary>The range of a header, within an entity.</summary>
    /// <param name="header">The header; null, more than one range, or other units: the whole entity.</param>
    /// <param name="length">Length of the entity in bytes.</param>
    /// <param name="range">The range; only with true.</param>
    /// <returns>False: no byte of it exists (416). Null: the whole entity is the answer.</returns>
    public static bool? TryRead(RangeHeaderValue? header, long length, out HttpRange range)
    {
        range = default;
        if (header is null || header.Unit != "bytes" || header.Ranges.Count != 1)
        {
            return null;
        }

        RangeItemHeaderValue asked = header.Ranges.First();
        long from = asked.From ?? Math.Max(0, length - asked.To!.Value);
        long to = asked.From is null ? length - 1 : Math.Min(asked.To ?? long.MaxValue, length - 1);
        if (from >= length || (asked.From is null && asked.To == 0))
        {
            return false;
        }

        range = new HttpRange(from, to - from + 1);
        return true;
    }
}
