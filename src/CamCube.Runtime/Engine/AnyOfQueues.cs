using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using CamCube.Runtime.Memory;

namespace CamCube.Runtime.Engine;

/// <summary>
/// The default queues of all services of one server. One FIFO, a lane, per (service, link set) instead of per link: a
/// packet is in exactly one list and leaves by whichever link of its set is free first; nothing is removed from a
/// middle. Only lanes that are not empty exist, dense and in no order; each has a key of slot and link set, so that
/// "lanes of this service that may leave by this link" is one AND and one compare for 32 lanes at once. The oldest head
/// wins. What is touched grows with the packets that wait, not with services times sets. A struct, so that it lies in
/// the scheduler: one object less on the way to a packet.
/// </summary>
internal struct AnyOfQueues
{
    private const int SetBits = 6;
    private const int SlotMask = -1 << SetBits;
    private static readonly int Step = Vector512<ushort>.Count;

    // Keys beyond the last lane are zero: the key of no lane, because no set is empty.
    private ushort[] _keys;
    private uint[] _headSequences;
    private Lane[] _lanes;
    private int _laneCount;
    private uint _sequence;

    /// <summary>Nothing waits.</summary>
    public AnyOfQueues()
    {
        _keys = new ushort[Step];
        _headSequences = new uint[Step];
        _lanes = new Lane[Step];
    }

    /// <summary>A hint, see <see cref="Memory.Prefetch"/>.</summary>
    public readonly void Prefetch()
    {
        Memory.Prefetch.Array(_keys, 2);
        Memory.Prefetch.Array(_headSequences, 1);
        Memory.Prefetch.Array(_lanes, 3);
    }

    /// <summary>Appends. Returns the links by which nothing of the slot could leave before: they have to be marked
    /// ready.</summary>
    public int Add(ref QueueRow row, int slot, Packet packet, int set)
    {
        packet.Next = null;
        packet.Sequence = _sequence++;
        row.Count++;
        int key = (slot << SetBits) | set;
        for (int first = 0; first < _laneCount; first += Step)
        {
            uint found = Matching(first, ushort.MaxValue, key);
            if (found != 0)
            {
                ref Lane old = ref _lanes[first + BitOperations.TrailingZeroCount(found)];
                if (old.Tail is { } tail)
                {
                    tail.Next = packet;
                }
                else
                {
                    old.Head!.Next = packet;
                    (old.Packets, old.Bytes) = (1, old.Head.WireLength);
                }

                old.Tail = packet;
                old.Packets++;
                old.Bytes += packet.WireLength;
                return 0;
            }
        }

        if (_laneCount == _keys.Length)
        {
            Array.Resize(ref _keys, _laneCount * 2);
            Array.Resize(ref _headSequences, _laneCount * 2);
            Array.Resize(ref _lanes, _laneCount * 2);
        }

        _keys[_laneCount] = (ushort)key;
        _headSequences[_laneCount] = packet.Sequence;
        ref Lane lane = ref _lanes[_laneCount++];
        lane.Head = packet;
        lane.Tail = null;
        int news = set & ~row.Links;
        row.AddLane(set);
        return news;
    }

    /// <summary>Takes the packet that waited longest for this link, or null. <paramref name="emptied"/>: the set that
    /// became empty, or 0.</summary>
    public Packet? Take(ref QueueRow row, int slot, int link, out int emptied)
    {
        (int mask, int key) = ByLink(slot, link);
        return TakeAmong(ref row, mask, key, out _, out emptied);
    }

    /// <summary>Takes the packet that waited longest of all, and tells the set it waited in.</summary>
    public Packet? TakeOldest(ref QueueRow row, int slot, out int set, out int emptied) =>
        TakeAmong(ref row, SlotMask & ushort.MaxValue, slot << SetBits, out set, out emptied, ofAnySet: true);

    /// <summary>What waits in lanes that may leave by this link: of all, and of one slot.</summary>
    public readonly Backlog BacklogOf(int slot, int link)
    {
        (int packets, int ownPackets) = (0, 0);
        (long bytes, long ownBytes) = (0, 0);
        int bit = link < CamCube.Links.Cables ? 1 << link : 0;
        for (int i = 0; bit != 0 && i < _laneCount; i++)
        {
            if ((_keys[i] & bit) == 0)
            {
                continue;
            }

            ref readonly Lane lane = ref _lanes[i];
            (int count, long length) = lane.Tail is null ? (1, lane.Head!.WireLength) : (lane.Packets, lane.Bytes);
            packets += count;
            bytes += length;
            if (_keys[i] >> SetBits == slot)
            {
                ownPackets += count;
                ownBytes += length;
            }
        }

        return new Backlog(packets, bytes, ownPackets, ownBytes);
    }

    private static (int Mask, int Key) ByLink(int slot, int link) =>
        ((SlotMask | (1 << link)) & ushort.MaxValue, (slot << SetBits) | (1 << link));

    private Packet? TakeAmong(ref QueueRow row, int mask, int key, out int set, out int emptied, bool ofAnySet = false)
    {
        set = emptied = 0;
        int best = -1;
        uint bestSequence = 0;
        uint[] sequences = _headSequences;
        for (int first = 0; first < _laneCount; first += Step)
        {
            uint found = Matching(first, mask, key);
            if (ofAnySet && _laneCount - first < Step)
            {
                // Slot 0's key without a set is that of the places beyond the last lane.
                found &= (1u << (_laneCount - first)) - 1;
            }

            for (; found != 0; found &= found - 1)
            {
                int i = first + BitOperations.TrailingZeroCount(found);
                uint sequence = sequences[i];
                if (best < 0 || (int)(sequence - bestSequence) < 0)
                {
                    (best, bestSequence) = (i, sequence);
                }
            }
        }

        if (best < 0)
        {
            return null;
        }

        ref Lane lane = ref _lanes[best];
        Packet packet = lane.Head!;
        set = _keys[best] & ~SlotMask;
        row.Count--;
        if (packet.Next is { } next)
        {
            lane.Head = next;
            lane.Packets--;
            lane.Bytes -= packet.WireLength;
            sequences[best] = next.Sequence;
            packet.Next = null;
            return packet;
        }

        // Places beyond the last lane keep their packets' references: packets live as long as their pool.
        emptied = set;
        row.RemoveLane(set);
        int last = --_laneCount;
        if (best != last)
        {
            _keys[best] = _keys[last];
            sequences[best] = sequences[last];
            ref Lane moved = ref _lanes[last];
            lane.Head = moved.Head;
            lane.Tail = null;
            if (moved.Tail is { } tail)
            {
                lane.Tail = tail;
                (lane.Packets, lane.Bytes) = (moved.Packets, moved.Bytes);
            }
        }

        _keys[last] = 0;
        return packet;
    }

    /// <summary>Bit i: the key of lane first + i, masked, is this one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly uint Matching(int first, int mask, int key)
    {
        Vector512<ushort> keys = Vector512.LoadUnsafe(ref MemoryMarshal.GetArrayDataReference(_keys), (nuint)first);
        return (uint)
            Vector512
                .Equals(keys & Vector512.Create((ushort)mask), Vector512.Create((ushort)key))
                .ExtractMostSignificantBits();
    }

    private struct Lane
    {
        public Packet? Head;

        /// <summary>The last packet; null if the head is it: most lanes have one packet, and a reference costs more to
        /// store than null.</summary>
        public Packet? Tail;

        /// <summary>How many wait, and their bytes; kept while there is a tail only, so that a lane of one packet costs
        /// nothing more.</summary>
        public int Packets;
        public long Bytes;
    }
}
