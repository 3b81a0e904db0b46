using CamCube.Runtime.Observing;

namespace CamCube.Simulator.Seeing;

/// <summary>An event of one server that is not written yet.</summary>
/// <param name="TimeNanos">When.</param>
/// <param name="Kind">What.</param>
/// <param name="Packet">The packet, unless it is a note.</param>
/// <param name="DurationNanos">How long, on a link.</param>
/// <param name="Link">The link, or that of the arrival.</param>
/// <param name="Verdict">The verdict.</param>
/// <param name="Reason">Why it was dropped.</param>
/// <param name="Note">A note's words.</param>
/// <param name="Fault">Number of a fault that begins or ends.</param>
internal readonly record struct TimelineEvent(
    long TimeNanos,
    TimelineKind Kind,
    PacketSummary Packet,
    long DurationNanos = 0,
    Link Link = Link.Local,
    Verdict Verdict = default,
    DropReason Reason = DropReason.None,
    string? Note = null,
    long Fault = 0
);
