using CamCube.Runtime.Services;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Disks;
using CamCube.Simulator.Swarm;

namespace CamCube.Simulator.Tests.Swarm;

/// <summary>Writes to every server's disk all the time, and looks at the clock. When all is healed every disk must take
/// and give what it is told.</summary>
internal sealed class DiskWorkload : ISwarmWorkload
{
    private readonly HealedChecker _healed = new();
    private SwarmCube? _cube;

    private long _stoodStill;

    public IReadOnlyList<ServiceDefinition> Services =>
        [
            new ServiceDefinition
            {
                Id = new ServiceId(0x7170),
                Name = "writer",
                Create = a => new DiskWriter(a.Server, () => _stoodStill++),
            },
        ];

    public IReadOnlyList<Checker> Checkers => [_healed];

    public bool IsIdle => true;

    /// <summary>Servers whose disks must stay sound.</summary>
    public Func<int, FaultKind, bool> Spares { get; init; } = static (_, _) => false;

    public List<(int Rank, FaultKind Kind)> Harmed { get; } = [];

    public bool MayHarm(int rank, FaultKind kind)
    {
        if (Spares(rank, kind))
        {
            return false;
        }

        Harmed.Add((rank, kind));
        return true;
    }

    public void Begin(SwarmCube cube) => _cube = cube;

    public void Step(bool mayBegin) { }

    public void Finish()
    {
        long healed = _cube!.Cube.NowNanos;
        DiskWriter[] writers =
        [
            .. Enumerable
                .Range(0, _cube.Truth.Shape.Count)
                .Where(_cube.Truth.Runs)
                .Select(rank => _cube.Cube.Service<DiskWriter>(rank)),
        ];
        long[] done = [.. writers.Select(static writer => writer.Done)];
        _cube.Cube.Advance(TimeSpan.FromSeconds(5));
        for (int i = 0; i < writers.Length; i++)
        {
            _healed.Look(healed, writers[i].Done > done[i]);
        }
    }

    public void AddTo(SwarmTally tally)
    {
        DiskFaultCounts counts = _cube!.Cube.DiskFaults.Counts;
        tally.Add("disk disk-rot", counts.Rotted);
        tally.Add("disk misplaced-writes", counts.Misplaced);
        tally.Add("disk stuck-disk", counts.Stuck);
        tally.Add("disk lost-files", counts.LostFiles);
        tally.Add("disk torn-writes", counts.Torn + counts.Survived);
        tally.Add("disk full-disk", counts.Full);
        tally.Add("disk slow-disk", counts.Slowed);
        tally.Add("disk failing-disk", counts.Failed);
        tally.Add("disk lying-syncs", counts.Lied);
        tally.Add("disk pause-at-clock", _stoodStill);
    }

    private sealed class HealedChecker() : Checker("healed")
    {
        public void Look(long healed, bool isSound)
        {
            Checks++;
            if (!isSound)
            {
                Fail(healed, "a disk does not do what it is told though all is healed");
            }
        }
    }
}
