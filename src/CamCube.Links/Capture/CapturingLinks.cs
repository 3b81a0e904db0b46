namespace CamCube.Capture;

/// <summary>
/// Links of a server that also write what passes into a <see cref="CaptureFile"/>: what is sent, and, where frames
/// arrive as bytes, what arrives. It changes nothing: packets, times and order are those of the links inside. What
/// stands nearer to the server, such as fault rules, has acted before a packet is recorded; what is lost on the cable
/// itself is recorded all the same, as with a real tap at the sender. On the server's loop.
/// </summary>
public sealed class CapturingLinks : LinkDriver
{
    private readonly LinkDriver _inner;
    private readonly CaptureLink?[] _links = new CaptureLink?[Links.Cables];
    private readonly Action<Exception>? _ended;
    private CaptureFile? _writesTo;
    private readonly Sink _sink;
    private ILinkEvents? _server;

    /// <summary>Links around others.</summary>
    /// <param name="inner">The links that move packets.</param>
    /// <param name="captured">The captured ones among them.</param>
    /// <param name="writesTo">The file that is written at the end of each step, for a server that has a thread of its
    /// own; null where whoever drives the servers writes.</param>
    /// <param name="ended">Told, on the loop, what ended the recording: the file could not be written. The links go on.
    /// Null: it is thrown.</param>
    public CapturingLinks(
        LinkDriver inner,
        IEnumerable<CaptureLink> captured,
        CaptureFile? writesTo = null,
        Action<Exception>? ended = null
    )
    {
        (_inner, _writesTo, _ended, _sink) = (inner, writesTo, ended, new Sink(this));
        foreach (CaptureLink link in captured)
        {
            _links[(int)link.Link] = link;
        }
    }

    /// <inheritdoc/>
    public override int MaxFrameLength => _inner.MaxFrameLength;

    /// <inheritdoc/>
    public override bool CarriesVirtualBytes => _inner.CarriesVirtualBytes;

    /// <inheritdoc/>
    public override bool ShapesPackets => _inner.ShapesPackets;

    /// <inheritdoc/>
    public override bool TryPlace(long now, out Coordinate coordinate, out long deadline) =>
        _inner.TryPlace(now, out coordinate, out deadline);

    /// <inheritdoc/>
    public override CablingReport? Cabling => _inner.Cabling;

    /// <inheritdoc/>
    public override void Attach(ILinkEvents server)
    {
        _server = server;
        _sink.Target = server;
        _inner.Attach(_sink);
    }

    /// <inheritdoc/>
    public override long Transmit(Link link, Packet packet, long now)
    {
        Record(link, packet, now);
        return _inner.Transmit(link, packet, now);
    }

    /// <inheritdoc/>
    public override long SerialisationNanos(int wireLength) => _inner.SerialisationNanos(wireLength);

    /// <inheritdoc/>
    public override long TransmitShaped(Link link, Packet packet, long now, long busyNanos, long laterNanos)
    {
        Record(link, packet, now);
        return _inner.TransmitShaped(link, packet, now, busyNanos, laterNanos);
    }

    /// <inheritdoc/>
    public override void Flush(long now)
    {
        _inner.Flush(now);
        try
        {
            _writesTo?.Write();
        }
        catch (Exception e) when (_ended is not null)
        {
            End(e);
        }
    }

    /// <inheritdoc/>
    public override int Receive(ILinkEvents sink, int budget, long now)
    {
        _sink.Target = sink;
        return _inner.Receive(_sink, budget, now);
    }

    /// <inheritdoc/>
    public override void Wait(long nowNanos, long deadlineNanos) => _inner.Wait(nowNanos, deadlineNanos);

    /// <inheritdoc/>
    public override void Wake() => _inner.Wake();

    /// <inheritdoc/>
    public override void Close() => _inner.Close();

    private void Record(Link link, Packet packet, long now)
    {
        if (_links[(int)link] is { } record && _server is { } server)
        {
            try
            {
                record.Sent(server, packet, MaxFrameLength, now);
            }
            catch (Exception e) when (_ended is not null)
            {
                End(e);
            }
        }
    }

    // A recording is an onlooker: what becomes of it is nothing to the packets.
    private void End(Exception e)
    {
        Array.Clear(_links);
        _writesTo?.Abandon();
        _writesTo = null;
        _ended!(e);
    }

    // Frames come in through the sink of a Receive, or through the server of Attach.
    private sealed class Sink(CapturingLinks links) : ILinkEvents
    {
        public ILinkEvents Target { get; set; } = null!;

        public void FrameArrived(Link link, ReadOnlySpan<byte> frame, long now)
        {
            if ((uint)link < Links.Cables)
            {
                links._links[(int)link]?.Received(frame, now);
            }

            Target.FrameArrived(link, frame, now);
        }

        public int Encode(Packet packet, Span<byte> frame) => Target.Encode(packet, frame);

        public int TryAppend(Packet packet, Span<byte> frame, int length) => Target.TryAppend(packet, frame, length);

        public void FrameDropped(Link link, DropReason reason) => Target.FrameDropped(link, reason);

        public int EncodeCopy(Packet packet, Span<byte> frame) => Target.EncodeCopy(packet, frame);

        public void LinkFree(Link link, long now) => Target.LinkFree(link, now);

        public void Lose(Packet packet) => Target.Lose(packet);

        public Packet Copy(Packet packet) => Target.Copy(packet);

        public void Lend(Packet packet) => Target.Lend(packet);

        public void TakeBack(Packet packet) => Target.TakeBack(packet);

        public bool Corrupt(Packet packet, ulong random) => Target.Corrupt(packet, random);

        public void LinkChanged(Link link, bool up, long now) => Target.LinkChanged(link, up, now);
    }
}
