using CamCube.Messaging;

namespace CamCube.Services.Diagnostics.Streams;

/// <summary>What a command sent on one path, in JSON.</summary>
/// <param name="Link">The link it begins with; <c>routed</c>: base routing.</param>
/// <param name="Bytes">Bytes of the bodies of its packets: with the heads of frames, and what was sent again.</param>
/// <param name="Lost">Packets that were lost.</param>
/// <param name="Marked">Packets that a hop marked.</param>
/// <param name="Window">Packets that may be under way, at the end.</param>
/// <param name="RoundTripMicros">Estimate of the round trip, at the end.</param>
internal sealed record SentPath(string Link, long Bytes, long Lost, long Marked, double Window, double RoundTripMicros)
{
    /// <summary>Of what the library says.</summary>
    public static SentPath Of(in StreamPathReport path) =>
        new(
            path.Link?.Name() ?? "routed",
            path.Bytes,
            path.Lost,
            path.Marked,
            Math.Round(path.Window, 1),
            Math.Round(path.RoundTrip.TotalMicroseconds, 3)
        );
}
