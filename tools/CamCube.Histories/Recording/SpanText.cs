using System.Globalization;

namespace CamCube.Histories.Recording;

/// <summary>Spans of time in messages, in milliseconds.</summary>
internal static class SpanText
{
    /// <summary>From when to when; without an end: since when.</summary>
    public static string Of(long beginNanos, long? endNanos) =>
        endNanos is { } end
            ? string.Create(CultureInfo.InvariantCulture, $"from {beginNanos / 1e6:F3} to {end / 1e6:F3} ms")
            : string.Create(CultureInfo.InvariantCulture, $"from {beginNanos / 1e6:F3} ms");
}
