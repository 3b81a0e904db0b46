using CamCube.Messaging;

namespace CamCube.Experiments.Streams;

/// <summary>How the streams of a crowd ended.</summary>
/// <param name="Reasons">All reasons that somebody was told.</param>
/// <param name="LastNanos">When the last one was told, after what befell the peer.</param>
/// <param name="Heard">Streams of which the peer's second run heard something.</param>
internal sealed record EndResult(IReadOnlyList<StreamEndReason> Reasons, long LastNanos, int Heard);
