using CamCube.Services.Tunnel.Frames;
using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel.Sending;

/// <summary>What waits of one flow to one server, or of several that share it, oldest first. Loop only; allocates
/// nothing.</summary>
/// <param name="room">The places of packets.</param>
/// <param name="keepsFrames">Whether all packets of a frame come here. Of those on their way the first may always go
/// by another path.</param>
internal sealed class FlowQueue(WaitingRoom room, bool keepsFrames)
{
    private int _first = WaitingRoom.None;
    private int _last = WaitingRoom.None;
    private Codel _codel;

    // Bytes of the frame whose packets come in, and of the longest one since this was empty.
    private int _frame;
    private int _longest;

    /// <summary>Packets that wait.</summary>
    public int Count { get; private set; }

    /// <summary>Their bytes.</summary>
    public int Bytes { get; private set; }

    /// <summary>Bytes that it may still send in this round; below 0: a debt.</summary>
    public int Credit { get; set; }

    /// <summary>Whether it is in a list of those that have a turn.</summary>
    public bool IsListed { get; set; }

    /// <summary>The next one in that list.</summary>
    public FlowQueue? Next { get; set; }

    /// <summary>Adds a packet.</summary>
    public void Add(Packet packet, long nowNanos)
    {
        int at = room.Put(packet, nowNanos);
        bool isFirst = !keepsFrames || (packet.Header<TunnelHeader>().Flags & TunnelFlags.First) != 0;
        _frame = (isFirst ? 0 : _frame) + packet.WireLength;
        _longest = Math.Max(Count == 0 ? 0 : _longest, _frame);
        if (Count++ == 0)
        {
            _first = at;
        }
        else
        {
            room.Chain(_last, at);
        }

        _last = at;
        Bytes += packet.WireLength;
    }

    /// <summary>Takes the oldest packet.</summary>
    /// <param name="sinceNanos">Since when it waited.</param>
    public Packet Take(out long sinceNanos)
    {
        Packet packet = room.Leave(_first, out sinceNanos, out _first);
        Count--;
        Bytes -= packet.WireLength;
        return packet;
    }

    /// <summary>What becomes of the packet that was just taken.</summary>
    public CodelFate Judge(CodelTerms terms, Packet packet, long sinceNanos, long nowNanos)
    {
        ref TunnelHeader header = ref packet.Header<TunnelHeader>();
        if (header.IsPiece && (header.Flags & TunnelFlags.First) == 0)
        {
            // The frame was judged by its first piece; without this one the others would travel in vain.
            return CodelFate.Keep;
        }

        // What the machine gives in one piece must wait for itself on slow links: no sender can do better.
        int behind = Bytes <= _longest ? 0 : Bytes;
        bool canBeMarked = header.EtherType != EtherTypes.Whole && Congestion.CanBeMarked(packet.Body);
        return _codel.Judge(terms, nowNanos - sinceNanos, behind, canBeMarked, nowNanos);
    }
}
