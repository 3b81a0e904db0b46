namespace CamCube.Faults;

/// <summary>A longer cable: all packets arrive later, in the order in which they were sent.</summary>
public sealed record PacketDelay : LinkFault
{
    /// <summary>Delays packets.</summary>
    /// <param name="extra">How much later each arrives, up to a day.</param>
    /// <param name="jitter">Up to this much later again, evenly drawn; never so that one overtakes another.</param>
    public PacketDelay(TimeSpan extra, TimeSpan jitter = default) =>
        (Extra, Jitter) = (CheckTime(extra, nameof(extra)), CheckTime(jitter, nameof(jitter)));

    /// <summary>How much later each arrives.</summary>
    public TimeSpan Extra { get; }

    /// <summary>Up to this much later again.</summary>
    public TimeSpan Jitter { get; }

    internal override void Decide(ref FaultDecision decision, ref FaultRandom random, in LinkPassage passage) =>
        decision.DelayNanos += Nanos(Extra) + (Jitter == default ? 0 : random.Below(Nanos(Jitter) + 1));
}
