using System.Numerics;

namespace CamCube.Runtime.Egress;

/// <summary>
/// The default queues of all services of one server. One FIFO per (service, link set) instead of per link: a packet is in exactly one list
/// and leaves by whichever link of its set is free first; nothing is removed from a middle. The 64 possible sets are one bit each of a
/// word, so "what could leave on link l" is one AND with a constant; the oldest head wins. Lists exist only while they are not empty and
/// are reused last-in first-out: what is touched grows with the packets that wait, not with services times sets.
/// </summary>
internal sealed class AnyOfQueues
{
    private const int Sets = 64;
    private PerService[] _services = [];
    private ushort[] _laneOf = [];
    private Lane[] _lanes = new Lane[8];
    private ushort[] _free = new ushort[8];
    private int _freeCount;
    private int _made;
    private uint _sequence;

    // Bit s of word l: set s contains link l. An array, because a span property of constants allocates per use in Debug builds.
    private static readonly ulong[] Containing =
    [
        0xAAAA_AAAA_AAAA_AAAA, 0xCCCC_CCCC_CCCC_CCCC, 0xF0F0_F0F0_F0F0_F0F0,
        0xFF00_FF00_FF00_FF00, 0xFFFF_0000_FFFF_0000, 0xFFFF_FFFF_0000_0000,
    ];

    public void Resize(int slots)
    {
        Array.Resize(ref _services, slots);
        Array.Resize(ref _laneOf, slots * Sets);
    }

    public void SetLimit(int slot, int packets) => _services[slot].Limit = packets;

    public int Count(int slot) => _services[slot].Count;

    public int Room(int slot) => Math.Max(0, _services[slot].Limit - _services[slot].Count);

    public bool IsFull(int slot) => _services[slot].Count >= _services[slot].Limit;

    public bool Has(int slot, int link) => (_services[slot].NonEmpty & Containing[link]) != 0;

    /// <summary>Appends. True: the set was empty before, so its links have to be marked ready.</summary>
    public bool Add(int slot, Packet packet, int set)
    {
        ref PerService service = ref _services[slot];
        packet.Next = null;
        packet.Sequence = _sequence++;
        service.Count++;
        ulong bit = 1UL << set;
        if ((service.NonEmpty & bit) != 0)
        {
            ref Lane old = ref _lanes[_laneOf[(slot * Sets) + set]];
            old.Tail!.Next = packet;
            old.Tail = packet;
            return false;
        }

        service.NonEmpty |= bit;
        if (_freeCount == 0)
        {
            Grow();
        }

        ushort index = _free[--_freeCount];
        _laneOf[(slot * Sets) + set] = index;
        ref Lane lane = ref _lanes[index];
        lane.Head = lane.Tail = packet;
        lane.HeadSequence = packet.Sequence;
        lane.Set = (byte)set;
        return true;
    }

    /// <summary>Takes the packet that waited longest for this link, or null. <paramref name="emptied"/>: the set that became empty, or 0.</summary>
    public Packet? Take(int slot, int link, out int emptied) => TakeAmong(slot, Containing[link], out _, out emptied);

    /// <summary>Takes the packet that waited longest of all, and tells the set it waited in.</summary>
    public Packet? TakeOldest(int slot, out int set, out int emptied) => TakeAmong(slot, ulong.MaxValue, out set, out emptied);

    private Packet? TakeAmong(int slot, ulong sets, out int set, out int emptied)
    {
        set = emptied = 0;
        ref PerService service = ref _services[slot];
        ulong candidates = service.NonEmpty & sets;
        if (candidates == 0)
        {
            return null;
        }

        Lane[] lanes = _lanes;
        ReadOnlySpan<ushort> laneOf = _laneOf.AsSpan(slot * Sets, Sets);
        int best = laneOf[BitOperations.TrailingZeroCount(candidates)];
        for (candidates &= candidates - 1; candidates != 0; candidates &= candidates - 1)
        {
            int i = laneOf[BitOperations.TrailingZeroCount(candidates)];
            if ((int)(lanes[i].HeadSequence - lanes[best].HeadSequence) < 0)
            {
                best = i;
            }
        }

        ref Lane lane = ref lanes[best];
        Packet packet = lane.Head!;
        set = lane.Set;
        service.Count--;
        lane.Head = packet.Next;
        packet.Next = null;
        if (lane.Head is { } next)
        {
            lane.HeadSequence = next.Sequence;
            return packet;
        }

        lane.Tail = null;
        emptied = set;
        service.NonEmpty &= ~(1UL << emptied);
        _free[_freeCount++] = (ushort)best;
        return packet;
    }

    private void Grow()
    {
        if (_made == _lanes.Length)
        {
            Array.Resize(ref _lanes, _made * 2);
            Array.Resize(ref _free, _made * 2);
        }

        while (_made < _lanes.Length)
        {
            _free[_freeCount++] = (ushort)_made++;
        }
    }

    private struct Lane
    {
        public Packet? Head;
        public Packet? Tail;
        public uint HeadSequence;
        public byte Set;
    }

    private struct PerService
    {
        public ulong NonEmpty;
        public int Count;
        public int Limit;
    }
}
