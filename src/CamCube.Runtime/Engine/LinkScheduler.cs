using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;
using CamCube.Runtime.Memory;
using CamCube.Runtime.Services;

namespace CamCube.Runtime.Engine;

/// <summary>
/// Egress of one server: deficit round-robin in bytes with debt, per link. A service is served while its credit is
/// positive and pays the true length afterwards, so no head is ever peeked and a poll is one call. Credit is zeroed
/// when a service has nothing for the link, debt is kept. Strict priority between classes: the lowest class with
/// anything ready goes first.
/// </summary>
internal sealed class LinkScheduler(ServerRuntime server, HotPointer hot)
{
    // A quantum is one largest frame, so that every turn of weight 1 can send at least one packet.
    private const int Quantum = 9_064;
    private const uint GoldenStep = 0x9E37_79B9;

    // A link that takes all there is must not keep the server from receiving.
    private const int MostPerTurn = 256;
    private AnyOfQueues _queues = new();
    private QueueRow[] _rows = [];
    private ulong _sources;
    private ulong _roomWaiters;
    private int _stride;

    // A fraction of a turn, of 2^32.
    private uint _turn;

    /// <summary>Priority classes: 0 for core services, 1 to 7 for others.</summary>
    public const int QueueClasses = HotState.QueueClasses;

    /// <summary>A hint, as <see cref="ServerRuntime.Prefetch"/>.</summary>
    public void Prefetch()
    {
        Memory.Prefetch.Array(_rows, 3);
        _queues.Prefetch();
    }

    public int Count(int slot) => _rows[slot].Count;

    public int Room(int slot) => Math.Max(0, _rows[slot].Limit - _rows[slot].Count);

    /// <summary>What waits for a link, of all and of one service.</summary>
    public Backlog BacklogOf(int slot, Link link) => _queues.BacklogOf(slot, (int)link);

    /// <summary>Set when a queue that somebody waits for got room; cleared by whoever serves the waits.</summary>
    public bool RoomFreed { get; set; }

    /// <summary>Somebody waits for room in this queue. <paramref name="again"/>: look at the waits again although
    /// nothing has left.</summary>
    public void NotifyRoom(int slot, bool again = false)
    {
        _roomWaiters |= 1UL << slot;
        if (again)
        {
            FreeRoom(slot);
        }
    }

    /// <summary>Makes room for a slot and takes its settings. The stride is kept, so credits stay where they
    /// are.</summary>
    public void Configure(ServiceSlot slot)
    {
        if (slot.Index >= _stride)
        {
            Grow(Math.Min(ServiceDefinition.MostServices, Math.Max(8, _stride * 2)));
        }

        ref QueueRow row = ref _rows[slot.Index];
        row.Quantum = Quantum * slot.Definition.Queue.Weight;
        row.Limit = slot.Definition.Queue.LimitPackets;
        int priority = slot.Definition.Queue.Priority;
        ref HotState h = ref hot.Ref;
        for (int c = 0; c < QueueClasses; c++)
        {
            h.Classes[c] = c == priority ? h.Classes[c] | slot.Bit : h.Classes[c] & ~slot.Bit;
        }
    }

    /// <summary>The packet leaves at once by an idle link of the set on which nobody waits, or waits once on all of
    /// them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SendResult Submit(ServiceSlot slot, Packet packet, int set, long now, uint owner, bool keepOnRefusal)
    {
        ref HotState h = ref hot.Ref;
        int idle = h.Idle(now) & set & ~h.Wait;
        if (idle == 0)
        {
            return Enqueue(slot, packet, set, owner, keepOnRefusal);
        }

        int link = BitOperations.TrailingZeroCount(idle);
        if ((idle & (idle - 1)) != 0)
        {
            link = Choose(idle);
        }

        server.Transmit(link, packet, now, owner);
        return SendResult.Accepted;
    }

    /// <summary>A source declared (or a queue gained) something for these links.</summary>
    public void Mark(ServiceSlot slot, int set)
    {
        if (set == 0)
        {
            return;
        }

        ref HotState h = ref hot.Ref;
        h.Wait |= (byte)set;
        for (int s = set; s != 0; s &= s - 1)
        {
            h.Ready[BitOperations.TrailingZeroCount(s)] |= slot.Bit;
        }
    }

    public void SetSource(ServiceSlot slot, bool has) => _sources = has ? _sources | slot.Bit : _sources & ~slot.Bit;

    /// <summary>Serves a link until it has no room, nobody waits, or its turn is over. Returns packets sent.</summary>
    public int Serve(int link, long now)
    {
        ref HotState h = ref hot.Ref;
        int sent = 0;
        while (h.Ready[link] != 0 && h.Busy[link] <= now && sent < MostPerTurn)
        {
            if (Pick(ref h, link) is not { } packet)
            {
                break;
            }

            server.Transmit(link, packet, now, packet.OwnerWord);
            sent++;
        }

        return sent;
    }

    /// <summary>Takes all packets of a slot out, oldest first: when it stops.</summary>
    public void Purge(ServiceSlot slot, DropReason reason)
    {
        while (_queues.TakeOldest(ref _rows[slot.Index], slot.Index, out _, out int emptied) is { } packet)
        {
            Unmark(slot.Index, emptied);
            server.Discard(packet, slot.QueuedOwner, reason);
        }

        Unmark(slot.Index, LinkSet.AllCables.Bits);
    }

    /// <summary>
    /// Takes all packets of a slot out and gives them to the visitor in order, which queues them again where they can
    /// go now: when a link went down.
    /// </summary>
    public void Requeue(ServiceSlot slot, Action<ServiceSlot, Packet, int> visit)
    {
        int n = _rows[slot.Index].Count;
        for (int i = 0; i < n; i++)
        {
            // A packet that is queued again goes behind those that still wait, so n takes see each packet once, in
            // order.
            if (_queues.TakeOldest(ref _rows[slot.Index], slot.Index, out int set, out int emptied) is not { } packet)
            {
                break;
            }

            Unmark(slot.Index, emptied);
            visit(slot, packet, set);
        }

        Unmark(slot.Index, LinkSet.AllCables.Bits);
        FreeRoom(slot.Index);
    }

    private SendResult Enqueue(ServiceSlot slot, Packet packet, int set, uint owner, bool keepOnRefusal)
    {
        ref QueueRow row = ref _rows[slot.Index];
        if (row.Count >= row.Limit)
        {
            if (slot.Definition.Queue.Drop == DropPolicy.Newest)
            {
                if (!keepOnRefusal)
                {
                    server.Discard(packet, owner, DropReason.QueueFull);
                }

                return SendResult.QueueFull;
            }

            if (_queues.TakeOldest(ref row, slot.Index, out _, out int emptied) is { } oldest)
            {
                Unmark(slot.Index, emptied);
                server.Discard(oldest, slot.QueuedOwner, DropReason.QueueFull);
            }
        }

        packet.Move(owner, slot.QueuedOwner);
        Mark(slot, _queues.Add(ref row, slot.Index, packet, set));
        return SendResult.Accepted;
    }

    // Evenly over the idle links without a random draw: steps of the golden ratio of a turn spread any set evenly, and
    // every part of the traffic that comes at regular distances too. Plain counting would put all requests on one link
    // and all acknowledgements on the other, and a choice per flow would cap even axes at 0.95.
    private int Choose(int idle)
    {
        _turn += GoldenStep;
        int nth = (int)((ulong)_turn * (uint)BitOperations.PopCount((uint)idle) >> 32);
        if (Bmi2.IsSupported)
        {
            return BitOperations.TrailingZeroCount(Bmi2.ParallelBitDeposit(1u << nth, (uint)idle));
        }

        for (; nth > 0; nth--)
        {
            idle &= idle - 1;
        }

        return BitOperations.TrailingZeroCount(idle);
    }

    private Packet? Pick(ref HotState h, int link)
    {
        QueueRow[] rows = _rows;
        for (; ; )
        {
            ulong ready = h.Ready[link];
            if (ready == 0)
            {
                return null;
            }

            // Each class has its own turn, so that a class that is interrupted by a lower one goes on where it was.
            int priority = FirstClass(ref h, ready);
            ulong candidates = ready & h.Classes[priority];
            ref byte cursor = ref h.Cursors[(link * QueueClasses) + priority];
            int current = cursor;
            if (current >= rows.Length || (candidates >> current & 1) == 0 || rows[current].Credit[link] <= 0)
            {
                ulong after = current >= 63 ? 0 : candidates >> (current + 1) << (current + 1);
                current = BitOperations.TrailingZeroCount(after != 0 ? after : candidates);
                cursor = (byte)current;
                ref QueueRow turn = ref rows[current];
                turn.Credit[link] += turn.Quantum;
                if (turn.Credit[link] <= 0)
                {
                    // Pays off debt; ends because every turn adds a quantum.
                    continue;
                }
            }

            ref QueueRow row = ref rows[current];
            int emptied;
            Packet? packet =
                (_sources >> current & 1) == 0
                    ? _queues.Take(ref row, current, link, out emptied)
                    : TakeInTurn(ref row, current, link, out emptied);
            if (packet is null)
            {
                // Its turn ends: nobody saves up what it could not use.
                Unmark(current, 1 << link);
                continue;
            }

            row.Credit[link] -= packet.WireLength;
            if (emptied != 0)
            {
                Unmark(current, emptied);
            }

            if (_roomWaiters != 0)
            {
                FreeRoom(current);
            }

            return packet;
        }
    }

    // Not inlined: services without sources never come here.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private Packet? TakeInTurn(ref QueueRow row, int index, int link, out int emptied)
    {
        emptied = 0;
        ServiceSlot slot = server.SlotTable[index];
        SourceTurns turns = slot.Sources!;
        for (int asked = 0; ; )
        {
            // Looked at again each time: a source may say something about the others, or send, when it is asked.
            int places = (turns.ReadyFor(link) | ((row.Links >> link & 1) << SourceTurns.QueuePlace)) & ~asked;
            if (places == 0)
            {
                // Who gave nothing although nobody else had anything is asked again when it says so.
                for (int rest = asked & turns.ReadyFor(link); rest != 0; rest &= rest - 1)
                {
                    ServerSources.Clear(slot, turns[BitOperations.TrailingZeroCount(rest)], link);
                }

                return null;
            }

            int place = turns.Next(link, places);
            Packet? packet =
                place == SourceTurns.QueuePlace
                    ? _queues.Take(ref row, index, link, out emptied)
                    : server.Sources.Poll(slot, turns[place], link);
            if (packet is not null)
            {
                turns.Charge(link, place, packet.WireLength);
                return packet;
            }

            asked |= 1 << place;
        }
    }

    private void FreeRoom(int slot)
    {
        if ((_roomWaiters >> slot & 1) != 0)
        {
            _roomWaiters &= ~(1UL << slot);
            RoomFreed = true;
            server.Defer();
        }
    }

    private static int FirstClass(ref HotState h, ulong ready)
    {
        int c = 0;
        while ((ready & h.Classes[c]) == 0)
        {
            c++;
        }

        return c;
    }

    private void Unmark(int slot, int set)
    {
        ref HotState h = ref hot.Ref;
        ref QueueRow row = ref _rows[slot];
        int links = set & ~row.Links;
        if ((_sources >> slot & 1) != 0)
        {
            links &= ~(server.SlotTable[slot].SourceReady & h.Up);
        }

        for (; links != 0; links &= links - 1)
        {
            int link = BitOperations.TrailingZeroCount(links);
            ulong ready = h.Ready[link] & ~(1UL << slot);
            h.Ready[link] = ready;
            if (ready == 0)
            {
                h.Wait &= (byte)~(1 << link);
            }

            ref int credit = ref row.Credit[link];
            credit = Math.Min(credit, 0);
        }
    }

    private void Grow(int stride)
    {
        Array.Resize(ref _rows, stride);
        _stride = stride;
    }
}
