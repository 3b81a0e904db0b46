using CamCube.Faults;
using CamCube.Runtime.Engine;

namespace CamCube.Simulator.Disks;

/// <summary>
/// The disk of one simulated server: outlives its runs, does one operation after the other in virtual time, and draws
/// its faults from a stream of its own. An operation takes effect when it ends.
/// </summary>
internal sealed class SimulatedDisk
{
    private readonly DiskFaultRules _rules;
    private readonly int _rank;
    private readonly SimulatedDiskOptions _options;
    private readonly SortedDictionary<ushort, SimulatedFolder> _folders = [];
    private FaultRandom _random;
    private long _busyUntil;

    public SimulatedDisk(DiskFaultRules rules, int rank, ulong seed, SimulatedDiskOptions options)
    {
        (_rules, _rank, _options) = (rules, rank, options);

        // "disks" in ASCII keeps it apart from other streams of the same seed and server.
        _random = new FaultRandom(seed ^ 0x6469_736B_7300_0000UL, rank);
    }

    public DiskFaultCounts Counts { get; private set; }

    /// <summary>If set, when each operation ends is added to it.</summary>
    public List<long>? Ends { get; set; }

    public SimulatedServiceDisk For(ServiceView view)
    {
        ushort service = view.Slot.Definition.Id.Value;
        if (!_folders.TryGetValue(service, out SimulatedFolder? folder))
        {
            _folders[service] = folder = new SimulatedFolder();
        }

        return new SimulatedServiceDisk(view, this, folder);
    }

    /// <summary>Whether this many more bytes have room.</summary>
    public bool HasRoom(long more)
    {
        bool hasRoom = more <= Space.FreeBytes;
        Counts += new DiskFaultCounts { Full = hasRoom ? 0 : 1 };
        return hasRoom;
    }

    /// <summary>The room of the disk.</summary>
    public DiskSpace Space => new(IsFilled ? 0 : _options.CapacityBytes - UsedBytes, _options.CapacityBytes);

    private long UsedBytes => _folders.Values.Sum(static folder => folder.Bytes);

    private bool IsFilled => Array.Exists(_rules.Active, rule => rule.Fault.Fills && rule.Concerns(_rank));

    /// <summary>When an operation that is asked for now ends, and what becomes of it; long.MaxValue = never.</summary>
    public long Begin(long now, DiskOperation operation, long bytes, out DiskDecision decision)
    {
        decision = default;
        foreach (DiskFaultRules.ActiveRule rule in _rules.Active)
        {
            if (rule.Concerns(_rank))
            {
                rule.Fault.Decide(ref decision, ref _random, operation);
            }
        }

        long latency = operation switch
        {
            DiskOperation.Read => _options.ReadNanos,
            DiskOperation.Write => _options.WriteNanos,
            _ => _options.SyncNanos,
        };
        Counts += new DiskFaultCounts
        {
            Failed = decision is { Fails: true, Sticks: false } ? 1 : 0,
            Slowed = decision.ExtraNanos > 0 ? 1 : 0,
            Lied = decision is { Lies: true, Fails: false, Sticks: false } ? 1 : 0,
            Stuck = decision.Sticks ? 1 : 0,
        };
        if (decision.Rots)
        {
            Rot();
        }

        if (decision.Sticks)
        {
            return long.MaxValue;
        }

        _busyUntil =
            Math.Max(now, _busyUntil)
            + latency
            + (bytes * 1_000_000_000 / _options.BytesPerSecond)
            + decision.ExtraNanos;
        Ends?.Add(_busyUntil);
        return _busyUntil;
    }

    /// <summary>Turns one bit of a part of a file.</summary>
    public void Flip(FileContent content, long offset, int length)
    {
        content.Flip(offset + _random.Below(length), (int)_random.Below(8));
        Counts += new DiskFaultCounts { Flipped = 1 };
    }

    /// <summary>Where a write goes that does not go where it should: a place of the file, or the one behind
    /// it.</summary>
    public long ElsewhereThan(long offset, FileContent content)
    {
        long right = offset / FileContent.Sector,
            sectors = Math.Max(right, content.Live.Length / FileContent.Sector) + 1,
            wrong = _random.Below((int)Math.Min(sectors, int.MaxValue));
        Counts += new DiskFaultCounts { Misplaced = 1 };
        wrong += wrong >= right ? 1 : 0;
        return (wrong * FileContent.Sector) + (offset % FileContent.Sector);
    }

    /// <summary>What a failed write has written: none to all but one of its sectors, from the front.</summary>
    public byte[] PartOf(long offset, byte[] bytes)
    {
        var change = new FileContent.Change(offset, bytes);
        return change.First((int)_random.Below(change.Sectors)) is { } part ? part.Bytes(part.Length) : [];
    }

    /// <summary>Power failed: what was under way is not made, what was not synced is lost unless rules say
    /// otherwise.</summary>
    public void Fail()
    {
        _busyUntil = 0;
        foreach (SimulatedFolder folder in _folders.Values)
        {
            folder.Fail(Survives, Surviving, IsLost);
        }
    }

    /// <summary>Another, empty disk is put in.</summary>
    public void Erase() => _folders.Clear();

    private void Rot()
    {
        long all = _folders.Values.Sum(static folder => folder.SafeBytes);
        if (all == 0)
        {
            return;
        }

        long at = _random.Below(all);
        foreach (FileContent content in _folders.Values.SelectMany(static folder => folder.Safe))
        {
            if (at < content.SafeLength)
            {
                content.Rot(at, (int)_random.Below(8));
                Counts += new DiskFaultCounts { Rotted = 1 };
                return;
            }

            at -= content.SafeLength;
        }
    }

    private bool IsLost()
    {
        bool isLost = false;
        foreach (DiskFaultRules.ActiveRule rule in _rules.Active)
        {
            isLost |= rule.Concerns(_rank) && rule.Fault.Loses(ref _random);
        }

        Counts += new DiskFaultCounts { LostFiles = isLost ? 1 : 0 };
        return isLost;
    }

    private bool Survives()
    {
        bool survives = false;
        foreach (DiskFaultRules.ActiveRule rule in _rules.Active)
        {
            survives |= rule.Concerns(_rank) && rule.Fault.Survives(ref _random);
        }

        Counts += survives ? new DiskFaultCounts { Survived = 1 } : new DiskFaultCounts { Lost = 1 };
        return survives;
    }

    private FileContent.Change? Surviving(FileContent.Change change)
    {
        if (Survives())
        {
            return change;
        }

        bool isTorn = false;
        foreach (DiskFaultRules.ActiveRule rule in _rules.Active)
        {
            isTorn |= change.Sectors > 1 && rule.Concerns(_rank) && rule.Fault.Tears(ref _random);
        }

        if (!isTorn)
        {
            return null;
        }

        Counts += new DiskFaultCounts { Lost = -1, Torn = 1 };
        return change.First(1 + (int)_random.Below(change.Sectors - 1));
    }
}
