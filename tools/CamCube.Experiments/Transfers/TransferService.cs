using System.Runtime.CompilerServices;

namespace CamCube.Experiments.Transfers;

/// <summary>
/// Moves packets from one server to another as fast as the source's links take them (SIGCOMM §3.1): no congestion
/// control; what is not acknowledged in time is sent again. Subclasses say by which links. The source has always
/// something new to send, so that a transfer does not end with waiting for the last lost packet. One instance per
/// server; a server is source or destination of one transfer at a time.
/// </summary>
public abstract class TransferService(IServer server) : CamCubeService, IPacketSource
{
    private readonly Queue<(uint Sequence, long SentNanos)> _unacknowledged = [];
    private readonly HashSet<uint> _acknowledged = [];
    private IOutboundTurn? _turn;
    private HashSet<uint>? _received;
    private AckedSequences _acks;
    private int _ackCount;
    private Coordinate _to;
    private uint _transfer;
    private uint _next;
    private long _timeoutNanos;
    private int _virtualLength;
    private int _wanted;

    /// <summary>The server.</summary>
    protected IServer Server { get; } = server;

    /// <summary>Packets sent again, as source of the present transfer.</summary>
    public long SentAgain { get; private set; }

    /// <summary>Packets sent, those sent again too, as source of the present transfer.</summary>
    public long Sent { get; private set; }

    /// <summary>When the last of the wanted packets came, as destination; 0 before.</summary>
    public long DoneNanos { get; private set; }

    /// <inheritdoc/>
    public override void OnStart() => _turn = Server.AddSource(this);

    /// <summary>Makes this server the destination of a transfer.</summary>
    /// <param name="transfer">Number of the transfer, larger than all before.</param>
    /// <param name="wanted">Different packets that have to come.</param>
    public void Expect(uint transfer, int wanted)
    {
        (_transfer, _wanted, _ackCount, DoneNanos) = (transfer, wanted, 0, 0);
        _received = new HashSet<uint>(wanted);
    }

    /// <summary>Makes this server the source of a transfer.</summary>
    /// <param name="transfer">As the destination has it.</param>
    /// <param name="to">The destination.</param>
    /// <param name="frameLength">Bytes of each frame with its 14-byte header.</param>
    /// <param name="timeoutNanos">
    /// A packet is lost if it is not acknowledged after this time. Longer than any way through full queues, or what is
    /// late is sent twice; nothing waits for it, because new packets go meanwhile.
    /// </param>
    public void Begin(uint transfer, Coordinate to, int frameLength, long timeoutNanos)
    {
        (_transfer, _to, _next, Sent, SentAgain) = (transfer, to, 0, 0, 0);
        _timeoutNanos = timeoutNanos;
        _unacknowledged.Clear();
        _acknowledged.Clear();
        _virtualLength = frameLength - Packet.FrameOverhead - Unsafe.SizeOf<TransferHeader>();

        _turn!.Ready = LinksOf(to);
    }

    /// <summary>Ends sending.</summary>
    public void End() => _turn!.Ready = LinkSet.None;

    /// <inheritdoc/>
    public Packet? OnPoll(Link link)
    {
        if (!Server.Packets.TryRent(0, out Packet? packet))
        {
            return null;
        }

        uint sequence = NextSequence();
        _unacknowledged.Enqueue((sequence, Server.NowNanos));
        Sent++;
        packet.Destination = _to;
        packet.VirtualLength = _virtualLength;
        ref TransferHeader header = ref packet.Header<TransferHeader>();
        (header.Transfer, header.Sequence) = (_transfer, sequence);
        return packet;
    }

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        ref TransferHeader header = ref packet.Header<TransferHeader>();
        if (!hop.IsDestination)
        {
            return header.IsAcknowledgement != 0 ? Verdict.Forward : Onward(hop, packet);
        }

        if (header.Transfer != _transfer)
        {
            return Verdict.Consume;
        }

        if (header.IsAcknowledgement == 0)
        {
            return Receive(hop, packet, ref header);
        }

        for (int i = 0; i < header.Sequence; i++)
        {
            _acknowledged.Add(header.Acked[i]);
        }

        return Verdict.Consume;
    }

    /// <summary>The links on which the source sends, each as fast as it goes.</summary>
    protected abstract LinkSet LinksOf(Coordinate to);

    /// <summary>The way of a packet at a server between the two.</summary>
    protected abstract Verdict Onward(in HopContext hop, Packet packet);

    private uint NextSequence()
    {
        while (_unacknowledged.TryPeek(out (uint Sequence, long SentNanos) oldest))
        {
            if (_acknowledged.Remove(oldest.Sequence))
            {
                _unacknowledged.Dequeue();
            }
            else if (oldest.SentNanos + _timeoutNanos <= Server.NowNanos)
            {
                SentAgain++;
                return _unacknowledged.Dequeue().Sequence;
            }
            else
            {
                break;
            }
        }

        return _next++;
    }

    private Verdict Receive(in HopContext hop, Packet packet, ref TransferHeader header)
    {
        if (_received!.Add(header.Sequence) && _received.Count == _wanted)
        {
            DoneNanos = hop.NowNanos;
        }

        _acks[_ackCount++] = header.Sequence;
        if (_ackCount < AckedSequences.Count)
        {
            return Verdict.Consume;
        }

        // The last packet of a dozen goes back as the acknowledgement of all.
        (header.Sequence, header.IsAcknowledgement, header.Acked) = (AckedSequences.Count, 1, _acks);
        _ackCount = 0;
        packet.VirtualLength = 0;
        packet.TurnRound(Server.Coordinate, Server.Packets.DefaultHopLimit);
        return Verdict.Forward;
    }
}
