namespace CamCube.Simulator.Disks;

/// <summary>The fault rules in force on the disks of a simulated cube. Between two advances; what they draw is each
/// disk's own.</summary>
public sealed class DiskFaultRules
{
    private readonly SimulatedDisk[] _disks;
    private ActiveRule[] _rules = [];

    internal DiskFaultRules(int servers, ulong seed, SimulatedDiskOptions options) =>
        _disks = [.. Enumerable.Range(0, servers).Select(rank => new SimulatedDisk(this, rank, seed, options))];

    /// <summary>How many rules are in force.</summary>
    public int Count => _rules.Length;

    /// <summary>What has happened at all disks.</summary>
    public DiskFaultCounts Counts
    {
        get
        {
            DiskFaultCounts sum = default;
            foreach (SimulatedDisk disk in _disks)
            {
                sum += disk.Counts;
            }

            return sum;
        }
    }

    internal ActiveRule[] Active => _rules;

    /// <summary>Puts a fault into force. Rules add up.</summary>
    /// <param name="fault">What happens.</param>
    /// <param name="ranks">At which servers; none named = at all.</param>
    /// <returns>Disposing it heals.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A rank that the cube does not have.</exception>
    public IDisposable Add(DiskFault fault, params ReadOnlySpan<int> ranks)
    {
        ArgumentNullException.ThrowIfNull(fault);
        var concerned = new bool[_disks.Length];
        foreach (int rank in ranks)
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)rank, (uint)_disks.Length, nameof(ranks));
            concerned[rank] = true;
        }

        var rule = new ActiveRule(this, fault, ranks.IsEmpty ? null : concerned);
        _rules = [.. _rules, rule];
        return rule;
    }

    /// <summary>Ends all rules.</summary>
    public void Heal() => _rules = [];

    /// <summary>What has happened at one disk.</summary>
    public DiskFaultCounts CountsOf(int rank) => _disks[rank].Counts;

    internal SimulatedDisk DiskOf(int rank) => _disks[rank];

    /// <summary>A rule in force. Disposing ends it.</summary>
    internal sealed class ActiveRule(DiskFaultRules rules, DiskFault fault, bool[]? concerned) : IDisposable
    {
        public DiskFault Fault => fault;

        public bool Concerns(int rank) => concerned is null || concerned[rank];

        public void Dispose() => rules._rules = [.. rules._rules.Where(rule => rule != this)];
    }
}
