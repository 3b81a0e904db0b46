using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Internal;

namespace CamCube.Simulator.Engine;

/// <summary>
/// The servers that one thread simulates: neighbours in rank. Runs them through one window at a time. Servers cannot influence each other
/// within a window, so each is run through it while its data is in the cache, in rank order, without a global event queue. The order of a
/// server's events is (time, lane): arrivals by link, timer, deferred work, free links; it never depends on insertion order, nor on how
/// servers are divided into partitions.
/// </summary>
internal sealed class SweepPartition
{
    private const int GroupShift = 6;
    private const int GroupSize = 1 << GroupShift;
    private const int InLinks = Cables.InLinks;

    // A group whose minimum is computed at the end of the window. Less than every time, so that lowering it leaves it.
    private const long Unknown = long.MinValue;

    // Below this the whole partition lies in the first caches, and hints cost more than they bring.
    private const int LeastForPrefetch = 96;
    private readonly SweepEngine _engine;
    private readonly int _first;
    private readonly int _count;
    private readonly Cables _cables;
    private readonly HotArray _hot;
    private readonly Cables.InFlight[] _flight;
    private readonly int[] _peer;
    private readonly bool[] _cut;
    private readonly ServerRuntime?[] _servers;
    private readonly long[] _resume;
    private readonly long[] _next;
    private readonly long[] _group;
    private readonly int[] _due;
    private readonly CableMail[] _mailTo;
    private readonly long _picosPerByte;
    private readonly long _linkDelay;
    private readonly int _number;
    private readonly int _receiveLimit;
    private readonly List<int> _overfull = [];
    private int _half;
    private long _floor;
    private long _leastMailed;

    public SweepPartition(SweepEngine engine, CubeContext context, Cables cables, int number, int partitions, int first, int count)
    {
        (_engine, Context, _cables, _number, _first, _count) = (engine, context, cables, number, first, count);
        (_hot, _flight, _peer, _cut, _servers) = (cables.Hot, cables.Flight, cables.Peer, cables.Cut, cables.Servers);
        _resume = cables.Resume;
        _group = new long[(count + GroupSize - 1) >> GroupShift];
        _next = new long[_group.Length << GroupShift];
        _due = new int[_next.Length];
        _mailTo = [.. Enumerable.Range(0, partitions).Select(_ => new CableMail())];
        Array.Fill(_next, long.MaxValue);
        Array.Fill(_group, long.MaxValue);
        _picosPerByte = engine.PicosPerByte;
        (_linkDelay, _receiveLimit) = (engine.Options.LinkDelayNanos, engine.Options.ReceiveLimit);
        context.Touched = Touch;
    }

    /// <summary>What this partition's servers share.</summary>
    public CubeContext Context { get; }

    public long Events { get; private set; }

    public long Hops { get; private set; }

    public long LostOnCables { get; private set; }

    /// <summary>First server of the partition.</summary>
    public int First => _first;

    public int Count => _count;

    /// <summary>Packets for another partition's servers.</summary>
    public CableMail MailTo(int partition) => _mailTo[partition];

    /// <summary>Time of the next event of any server here.</summary>
    public long NextEvent()
    {
        long least = long.MaxValue;
        foreach (long t in _group)
        {
            least = Math.Min(least, t);
        }

        return least;
    }

    /// <summary>Something changed at a server from outside: its next event may be earlier than it was.</summary>
    public void Touch(int rank) => Lower(rank, Math.Max(_hot[rank].Next(out _), _engine.Now));

    /// <summary>The server has ended: nothing happens there, and what was on its way to it is lost.</summary>
    public void Forget(int rank)
    {
        for (int link = 0; link < Links.Cables; link++)
        {
            ref Cables.InFlight flight = ref _flight[(rank * InLinks) + link];
            while (flight.Head is { } packet)
            {
                flight.Head = packet.Next;
                packet.Next = null;
                LoseOne(packet);
            }

            flight = default;
        }

        _next[rank - _first] = long.MaxValue;
    }

    /// <summary>Time that a frame takes on a link.</summary>
    public long SerialisationNanos(int wireLength) => wireLength * _picosPerByte / 1_000;

    /// <summary>A packet enters a cable. Returns when the link takes another.</summary>
    /// <param name="rank">The sender.</param>
    /// <param name="link">Its link.</param>
    /// <param name="packet">Belongs to nobody.</param>
    /// <param name="now">When.</param>
    /// <param name="busyNanos">Time that it occupies the link, at least its serialisation.</param>
    /// <param name="laterNanos">Time that it stays on the cable beyond the propagation delay.</param>
    public long Transmit(int rank, int link, Packet packet, long now, long busyNanos, long laterNanos)
    {
        long end = now + busyNanos;
        int slot = (rank * InLinks) + link;
        int inLink = _peer[slot];
        int receiver = inLink / InLinks;
        if (_cut[slot] || _servers[receiver] is null)
        {
            LoseOne(packet);
            return end;
        }

        packet.Next = null;
        packet.When = end + _linkDelay + laterNanos;
        if ((uint)(receiver - _first) < (uint)_count)
        {
            PutInFlight(inLink, packet);
        }
        else
        {
            Mail(receiver, inLink, packet);
        }

        return end;
    }

    /// <summary>
    /// Runs all events of a window, after taking in what other partitions sent in the window before. Returns the time of the earliest
    /// event that is known here afterwards: an own server's, or the arrival of something that was sent to another partition.
    /// </summary>
    /// <param name="now">Begin of the window.</param>
    /// <param name="end">Its end, not part of it.</param>
    /// <param name="floor">Events that were due before this see it as now.</param>
    /// <param name="half">Half of the mail that is written now.</param>
    public long Sweep(long now, long end, long floor, int half)
    {
        (_half, _leastMailed, _floor) = (half, long.MaxValue, Math.Max(floor, now));
        TakeMail(half ^ 1);

        // What servers send now arrives after the window, so who is due in it is known before the first of them runs.
        int n = CollectDue(end);
        if (_count >= LeastForPrefetch)
        {
            RunAhead(_due.AsSpan(0, n), end);
        }
        else
        {
            foreach (int rank in _due.AsSpan(0, n))
            {
                RunWindow(rank, end);
            }
        }

        DropOverfull();
        long least = _leastMailed;
        for (int g = 0; g < _group.Length; g++)
        {
            if (_group[g] == Unknown)
            {
                _group[g] = Least(_next.AsSpan(g << GroupShift, GroupSize));
            }

            least = Math.Min(least, _group[g]);
        }

        Context.NowNanos = end;
        return least;
    }

    /// <summary>Takes in what others sent in the window before. After the last window of a run too, so that nothing is between partitions.</summary>
    public void TakeMail(int half)
    {
        foreach (SweepPartition other in _engine.Partitions)
        {
            if (other == this)
            {
                continue;
            }

            CableMail mail = other.MailTo(_number);
            foreach (CableMail.Letter letter in mail.Read(half))
            {
                Context.Pool.Adopt(letter.Packet);
                PutInFlight(letter.InLink, letter.Packet);
            }

            mail.Clear(half);
        }

        DropOverfull();
    }

    private int CollectDue(long end)
    {
        int n = 0;
        for (int g = 0; g < _group.Length; g++)
        {
            if (_group[g] >= end)
            {
                continue;
            }

            // Computed again at the end of the window from all servers of the group.
            _group[g] = Unknown;
            int first = g << GroupShift;
            for (ulong due = DueIn(first, end); due != 0; due &= due - 1)
            {
                _due[n++] = _first + first + BitOperations.TrailingZeroCount(due);
            }
        }

        return n;
    }

    // A hop is mostly cache misses, and each server's data is reached in three steps. So while one server runs, the first step of a server
    // that comes later is on its way already, the second of a nearer one, and the packets of the next.
    private void RunAhead(ReadOnlySpan<int> due, long end)
    {
        for (int i = 0; i < due.Length; i++)
        {
            if (i + 6 < due.Length)
            {
                PrefetchServer(due[i + 6]);
            }

            if (i + 4 < due.Length)
            {
                _servers[due[i + 4]]!.PrefetchParts();
            }

            if (i + 2 < due.Length)
            {
                _servers[due[i + 2]]!.PrefetchServices();
                PrefetchPackets(due[i + 2], end);
            }

            RunWindow(due[i], end);
        }
    }

    /// <summary>Bit i: server first + i has an event before a time. Eight are looked at at once.</summary>
    private ulong DueIn(int first, long end)
    {
        ReadOnlySpan<long> next = _next.AsSpan(first, GroupSize);
        Vector512<long> limit = Vector512.Create(end);
        ulong due = 0;
        for (int i = 0; i < GroupSize; i += 8)
        {
            due |= Vector512.LessThan(Vector512.Create(next[i..]), limit).ExtractMostSignificantBits() << i;
        }

        return due;
    }

    private static long Least(ReadOnlySpan<long> times)
    {
        Vector512<long> least = Vector512.Create(long.MaxValue);
        for (int i = 0; i < times.Length; i += 8)
        {
            least = Vector512.Min(least, Vector512.Create(times[i..]));
        }

        Vector256<long> half = Vector256.Min(least.GetLower(), least.GetUpper());
        Vector128<long> quarter = Vector128.Min(half.GetLower(), half.GetUpper());
        return Math.Min(quarter[0], quarter[1]);
    }

    private void RunWindow(int rank, long end)
    {
        if (_resume[rank] >= end)
        {
            _next[rank - _first] = _resume[rank];
            return;
        }

        for (; ; )
        {
            ServerRuntime server = _servers[rank]!;
            try
            {
                Window(server, rank, end);
                return;
            }
            catch (Exception e)
            {
                // If contained, the rest of the window goes on.
                if (!ServerLifecycle.TryContain(server, e))
                {
                    throw;
                }
            }
        }
    }

    private void Window(ServerRuntime server, int rank, long end)
    {
        ref HotState hot = ref _hot[rank];
        long now = Math.Max(_floor, _resume[rank]);
        for (; ; )
        {
            long t = hot.Next(out uint lanes);
            if (t >= end)
            {
                _next[rank - _first] = t;
                return;
            }

            // A link that was free long ago, or a timer of the past, is served now: time never runs backwards.
            now = Math.Max(t, now);
            Events++;
            int lane = BitOperations.TrailingZeroCount(lanes);
            if (lane < Links.Cables)
            {
                ref Cables.InFlight flight = ref _flight[(rank * InLinks) + lane];
                Packet packet = flight.Head!;
                flight.Head = packet.Next;
                flight.Count--;
                hot.When[lane] = flight.Head is { } following ? following.When : long.MaxValue;
                Hops++;
                server.Arrive((Link)lane, packet, now);
            }
            else if (lane >= HotState.FreeLane)
            {
                server.ServeLink(lane - HotState.FreeLane, now);
            }
            else if (lane == HotState.TimerLane)
            {
                server.RunTimers(now);
            }
            else
            {
                server.RunDeferred(now);
            }
        }
    }

    private void PrefetchServer(int rank)
    {
        _servers[rank]!.Prefetch();
        Prefetch.Block(ref _hot[rank], 5);
        Prefetch.Block(ref _flight[rank * InLinks], 3);
    }

    private void PrefetchPackets(int rank, long end)
    {
        ref HotState hot = ref _hot[rank];
        for (int link = 0; link < Links.Cables; link++)
        {
            if (hot.When[link] < end)
            {
                if (_flight[(rank * InLinks) + link].Head is { } packet)
                {
                    Prefetch.Object(packet, 2);
                }
            }
        }
    }

    private void PutInFlight(int inLink, Packet packet)
    {
        ref Cables.InFlight flight = ref _flight[inLink];
        if (++flight.Count > _receiveLimit)
        {
            _overfull.Add(inLink);
        }

        if (flight.Head is { } head)
        {
            Packet tail = flight.Tail!;
            if (packet.When >= tail.When)
            {
                tail.Next = packet;
                flight.Tail = packet;
                return;
            }

            if (!Overtake(head, packet))
            {
                return;
            }

            packet.Next = head;
            flight.Head = packet;
        }
        else
        {
            flight.Head = flight.Tail = packet;
        }

        int receiver = inLink / InLinks;
        _hot[receiver].When[inLink % InLinks] = packet.When;
        Lower(receiver, packet.When);
    }

    // The newest go. At a window's end, so that it does not matter whether the sender or the receiver was simulated first.
    private void DropOverfull()
    {
        foreach (int inLink in _overfull)
        {
            ref Cables.InFlight flight = ref _flight[inLink];
            if (flight.Count <= _receiveLimit)
            {
                continue;
            }

            Packet last = flight.Head!;
            for (int i = 1; i < _receiveLimit; i++)
            {
                last = last.Next!;
            }

            Packet? packet = last.Next;
            last.Next = null;
            (flight.Tail, flight.Count) = (last, _receiveLimit);
            while (packet is not null)
            {
                Packet next = packet.Next!;
                packet.Next = null;
                _servers[inLink / InLinks]!.Counters.Drop(DropReason.ReceiveFull);
                Context.Pool.Free(packet, packet.OwnerWord);
                packet = next;
            }
        }

        _overfull.Clear();
    }

    private void Mail(int receiver, int inLink, Packet packet)
    {
        _leastMailed = Math.Min(_leastMailed, packet.When);
        Context.Pool.PrepareToLeave(packet);
        _mailTo[_engine.PartitionOf(receiver)].Add(_half, packet, inLink);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Lower(int rank, long time)
    {
        int i = rank - _first;
        if (time < _next[i])
        {
            _next[i] = time;
            ref long group = ref _group[i >> GroupShift];
            group = Math.Min(group, time);
        }
    }

    // Packets held back by fault rules are overtaken. True: this one is the first of all.
    private static bool Overtake(Packet head, Packet packet)
    {
        if (packet.When < head.When)
        {
            return true;
        }

        Packet before = head;
        while (before.Next!.When <= packet.When)
        {
            before = before.Next;
        }

        (packet.Next, before.Next) = (before.Next, packet);
        return false;
    }

    private void LoseOne(Packet packet)
    {
        LostOnCables++;
        Context.Pool.Free(packet, packet.OwnerWord);
    }
}
