using System.Numerics;
using System.Runtime.CompilerServices;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Memory;
using CamCube.Runtime.Observing;

namespace CamCube.Simulator.Engine;

/// <summary>
/// The servers that one thread simulates: neighbours in rank. Runs them through one window at a time. Servers cannot
/// influence each other within a window, so each is run through it while its data is in the cache, in rank order,
/// without a global event queue. The order of a server's events is (time, lane): arrivals by link, timer, deferred
/// work, free links; it never depends on insertion order, nor on how servers are divided into partitions.
/// </summary>
internal sealed class SweepPartition
{
    private const int InLinks = Cables.InLinks;

    // Below this the whole partition lies in the first caches, and hints cost more than they bring.
    private const int LeastForPrefetch = 96;
    private readonly SweepEngine _engine;
    private readonly int _first;
    private readonly int _count;
    private readonly Cables _cables;
    private readonly HotArray _hot;
    private readonly Cables.InFlight[] _flight;
    private readonly int[] _way;
    private readonly ServerRuntime?[] _servers;
    private readonly NextEvents _events;
    private readonly LookAhead _ahead;
    private readonly CableMail[] _mailTo;
    private readonly ulong _picosPerByte;
    private readonly long _linkDelay;
    private readonly int _number;
    private readonly int _receiveLimit;
    private readonly List<int> _overfull = [];
    private int _half;
    private int _at;
    private int _started;
    private bool _somePaused;
    private long _floor;
    private long _leastMailed;

    public SweepPartition(
        SweepEngine engine,
        CubeContext context,
        Cables cables,
        int number,
        int partitions,
        int first,
        int count
    )
    {
        (_engine, Context, _cables, _number, _first, _count) = (engine, context, cables, number, first, count);
        (_hot, _flight, _way, _servers) = (cables.Hot, cables.Flight, cables.Way, cables.Servers);
        (_events, _ahead) = (new NextEvents(count), new LookAhead(cables));
        _mailTo = [.. Enumerable.Range(0, partitions).Select(_ => new CableMail())];
        _picosPerByte = (ulong)engine.PicosPerByte;
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
    public long NextEvent() => _events.Least();

    /// <summary>Time of the next event of any server here that is no timer's. Looks at all of them.</summary>
    public long NextEventButTimers()
    {
        long least = long.MaxValue;
        for (int rank = _first; rank < _first + _count; rank++)
        {
            if (_servers[rank] is not null)
            {
                least = Math.Min(least, WhileNotPaused(rank, _hot[rank].NextButTimers()));
            }
        }

        return least;
    }

    /// <summary>Something changed at a server from outside: its next event may be earlier than it was.</summary>
    public void Touch(int rank) => _events.Lower(rank - _first, Math.Max(_hot[rank].Next(), _engine.Now));

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

        _events.Forget(rank - _first);
    }

    /// <summary>Time that a frame takes on a link.</summary>
    public long SerialisationNanos(int wireLength) => (long)((ulong)wireLength * _picosPerByte / 1_000);

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
        int inLink = _way[(rank * InLinks) + link];
        if (inLink == Cables.Lost)
        {
            LoseOne(packet);
            return end;
        }

        packet.Next = null;
        packet.When = end + _linkDelay + laterNanos;
        int receiver = inLink >> Cables.InLinkBits;
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
    /// Runs all events of a window, after taking in what other partitions sent in the window before. Returns the time
    /// of the earliest event that is known here afterwards: an own server's, or the arrival of something that was sent
    /// to another partition.
    /// </summary>
    /// <param name="now">Begin of the window.</param>
    /// <param name="end">Its end, not part of it.</param>
    /// <param name="floor">Events that were due before this see it as now.</param>
    /// <param name="half">Half of the mail that is written now.</param>
    public long Sweep(long now, long end, long floor, int half)
    {
        Context.Pulse.Turn();
        (_half, _leastMailed, _floor) = (half, long.MaxValue, Math.Max(floor, now));
        TakeMail(half ^ 1);

        // What servers send now arrives after the window, so who is due in it is known before the first of them runs.
        ReadOnlySpan<int> due = _events.TakeDue(end);
        _somePaused = _cables.LastResume > now;
        _started = 0;
        while (!RunDue(due, end)) { }

        DropOverfull();
        long least = Math.Min(_leastMailed, _events.Least());
        Context.NowNanos = end;
        return least;
    }

    /// <summary>Takes in what others sent in the window before. After the last window of a run too, so that nothing is
    /// between partitions.</summary>
    public void TakeMail(int half)
    {
        foreach (SweepPartition other in _engine.Partitions)
        {
            if (other == this)
            {
                continue;
            }

            CableMail mail = other.MailTo(_number);
            ReadOnlySpan<CableMail.Letter> letters = mail.Read(half);

            // They are in the other processor's cache: better to wait for all of them at once.
            foreach (CableMail.Letter letter in letters)
            {
                Prefetch.Object(letter.Packet, 4);
            }

            foreach (CableMail.Letter letter in letters)
            {
                Context.Adopt(letter.Packet);
                PutInFlight(letter.InLink, letter.Packet);
            }

            mail.Clear(half);
        }

        DropOverfull();
    }

    // The servers that are due. One handler for all of them, not one per server: values that live across a handler's
    // bounds are kept in memory. False: an error was contained, and the rest of the window, this server's too, goes on.
    private bool RunDue(ReadOnlySpan<int> due, long end)
    {
        try
        {
            RunWindow(due, end);
            return true;
        }
        catch (Exception e)
        {
            if (!ServerLifecycle.TryContain(_servers[_first + due[_at]]!, e))
            {
                throw;
            }

            return false;
        }
    }

    // Whether a server has another event is looked up after the next server's first: the times that an event stores one
    // by one are then in the cache, and can be read eight at once without waiting for them (benchmark "speed").
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void RunWindow(ReadOnlySpan<int> due, long end)
    {
        // After an error it goes on with the server before the last that had begun.
        LookAhead? ahead = _count >= LeastForPrefetch ? _ahead : null;
        for (int i = Math.Max(0, _started - 1); i <= due.Length; i++)
        {
            if (i >= _started && i < due.Length)
            {
                ahead?.From(i, due, _first, end);
                _started = i + 1;
                _at = i;
                Step(_first + due[i], end);
            }

            if (i > 0)
            {
                _at = i - 1;
                while (Step(_first + due[i - 1], end)) { }
            }
        }
    }

    // A server's next event. False: it has none in this window.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool Step(int rank, long end)
    {
        ref HotState hot = ref _hot[rank];
        long t = hot.NextBefore(end, out uint lanes);
        if (_somePaused)
        {
            t = WhileNotPaused(rank, t);
        }

        if (t >= end)
        {
            _events.Set(rank - _first, t);
            return false;
        }

        Context.StoodStill?.StandStill(0);

        // A link that was free long ago, or a timer of the past, is served now: time never runs backwards.
        ServerRuntime server = _servers[rank]!;
        long now = Math.Max(Math.Max(t, server.Now), _floor);
        Events++;
        int lane = BitOperations.TrailingZeroCount(lanes);
        if (lane < Links.Cables)
        {
            ref Cables.InFlight flight = ref _flight[(rank * InLinks) + lane];
            Packet packet = flight.Head!;
            flight.Count--;
            if (packet.Next is { } following)
            {
                flight.Head = following;
                hot.When[lane] = following.When;
            }
            else
            {
                flight.Head = flight.Tail = null;
                hot.When[lane] = long.MaxValue;
            }

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

        return true;
    }

    private long WhileNotPaused(int rank, long time) => Math.Max(time, _cables.Resume[rank]);

    private void PutInFlight(int inLink, Packet packet)
    {
        ref Cables.InFlight flight = ref _flight[inLink];
        if (++flight.Count > _receiveLimit)
        {
            _overfull.Add(inLink);
        }

        long when = packet.When;
        if (flight.Head is { } head)
        {
            if (when >= flight.LastWhen)
            {
                (flight.Tail ?? head).Next = packet;
                flight.Tail = packet;
                flight.LastWhen = when;
                return;
            }

            flight.Tail ??= head;
            if (!Overtake(head, packet))
            {
                return;
            }

            packet.Next = head;
        }
        else
        {
            flight.LastWhen = when;
        }

        flight.Head = packet;
        int receiver = inLink >> Cables.InLinkBits;
        _hot[receiver].When[inLink & (InLinks - 1)] = when;
        _events.Lower(receiver - _first, when);
    }

    // The newest go. At a window's end, so that it does not matter whether the sender or the receiver was simulated
    // first.
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
            (flight.Tail, flight.LastWhen, flight.Count) = (last, last.When, _receiveLimit);
            while (packet is not null)
            {
                Packet next = packet.Next!;
                packet.Next = null;
                ServerRuntime receiver = _servers[inLink / InLinks]!;
                receiver.Counters.Drop(DropReason.ReceiveFull);
                receiver.Observer?.Dropped(PacketSummary.Of(packet), DropReason.ReceiveFull, packet.When);
                Context.Lose(packet);
                packet = next;
            }
        }

        _overfull.Clear();
    }

    private void Mail(int receiver, int inLink, Packet packet)
    {
        _leastMailed = Math.Min(_leastMailed, packet.When);
        Context.PrepareToLeave(packet);
        _mailTo[_engine.PartitionOf(receiver)].Add(_half, packet, inLink);
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
            before = before.Next!;
        }

        (packet.Next, before.Next) = (before.Next, packet);
        return false;
    }

    private void LoseOne(Packet packet)
    {
        LostOnCables++;
        Context.Lose(packet);
    }
}
