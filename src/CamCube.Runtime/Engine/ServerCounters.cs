namespace CamCube.Runtime.Engine;

/// <summary>Plain counters of one server: written on its loop, read from anywhere.</summary>
internal sealed class ServerCounters
{
    public const int Reasons = 32;
    public readonly LinkTally[] Links = new LinkTally[CamCube.Links.Count];

    /// <summary>Drops by reason; services' own reasons together in the last place.</summary>
    public readonly long[] Drops = new long[Reasons];

    /// <summary>Exceptions of instances that had ended already.</summary>
    public long LateFaults;

    public void Drop(DropReason reason) => Drops[Math.Min((int)reason, Reasons - 1)]++;

    public long DropsOf(DropReason reason) => Drops[Math.Min((int)reason, Reasons - 1)];
}
