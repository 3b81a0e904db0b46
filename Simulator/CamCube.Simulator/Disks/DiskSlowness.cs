using CamCube.Faults;

namespace CamCube.Simulator.Disks;

/// <summary>Operations take longer.</summary>
public sealed record DiskSlowness : DiskFault
{
    /// <summary>Slows disks down.</summary>
    /// <param name="extra">By how much each operation takes longer, up to a day.</param>
    public DiskSlowness(TimeSpan extra)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(extra, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(extra, TimeSpan.FromDays(1));
        Extra = extra;
    }

    /// <summary>By how much.</summary>
    public TimeSpan Extra { get; }

    internal override void Decide(ref DiskDecision decision, ref FaultRandom random, DiskOperation operation) =>
        decision.ExtraNanos += Extra.Ticks * 100;
}
