namespace CamCube.Faults;

/// <summary>Links that come and go: up for the first share of each period, cut for the rest.</summary>
public sealed record LinkFlapping : LinkFault
{
    /// <summary>Lets links flap.</summary>
    /// <param name="period">Length of one up and one down together, more than zero and up to a day.</param>
    /// <param name="upShare">Part of it that is up, from 0 to 1.</param>
    /// <param name="phase">How far into a period time 0 is.</param>
    public LinkFlapping(TimeSpan period, double upShare, TimeSpan phase = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(period, TimeSpan.Zero);
        (Period, UpShare) = (CheckTime(period, nameof(period)), CheckProbability(upShare, nameof(upShare)));
        Phase = CheckTime(phase, nameof(phase));
    }

    /// <summary>Length of one up and one down.</summary>
    public TimeSpan Period { get; }

    /// <summary>Part of it that is up.</summary>
    public double UpShare { get; }

    /// <summary>How far into a period time 0 is.</summary>
    public TimeSpan Phase { get; }

    /// <summary>Whether links are up at a time of the cube.</summary>
    public bool IsUpAt(long nowNanos) => (nowNanos + Nanos(Phase)) % Nanos(Period) < (long)(Nanos(Period) * UpShare);

    internal override void Decide(ref FaultDecision decision, ref FaultRandom random, in LinkPassage passage) =>
        decision.IsCut |= !IsUpAt(passage.NowNanos);
}
