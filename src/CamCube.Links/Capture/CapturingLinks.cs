namespace CamCube.Capture;

/// <summary>
/// Links of a server that also write what passes into a <see cref="CaptureFile"/>: what is sent, and, where frames
/// arrive as bytes, what arrives. It changes nothing: packets, times and order are those of the links inside. What
/// stands nearer to the server, such as fault rules, has acted before a packet is recorded; what is lost on the cable
/// itself is recorded all the same, as with a real tap at the sender. On the server's loop.
/// </summary>
public sealed class CapturingLinks : TwoWayLinkDecorator
{
    private readonly CaptureLink?[] _links = new CaptureLink?[Links.Cables];
    private readonly Action<Exception>? _ended;
    private CaptureFile? _writesTo;

    /// <summary>Links around others.</summary>
    /// <param name="inner">The links that move packets.</param>
    /// <param name="captured">The captured ones among them.</param>
    /// <param name="writesTo">The file that is written at the end of each step, for a server that has a thread of its
    /// own; null where whoever drives the servers writes.</param>
    /// <param name="ended">Told, on the loop, what ended the recording: the file could not be written, or has all the
    /// frames it may have. The links go on. Null: it is thrown, and a full file goes on without a word.</param>
    public CapturingLinks(
        LinkDriver inner,
        IEnumerable<CaptureLink> captured,
        CaptureFile? writesTo = null,
        Action<Exception>? ended = null
    )
        : base(inner)
    {
        (_writesTo, _ended) = (writesTo, ended);
        foreach (CaptureLink link in captured)
        {
            _links[(int)link.Link] = link;
        }
    }

    /// <inheritdoc/>
    public override long Transmit(Link link, Packet packet, long now)
    {
        Record(link, packet, now);
        return Inner.Transmit(link, packet, now);
    }

    /// <inheritdoc/>
    public override long TransmitShaped(Link link, Packet packet, long now, long busyNanos, long laterNanos)
    {
        Record(link, packet, now);
        return Inner.TransmitShaped(link, packet, now, busyNanos, laterNanos);
    }

    /// <inheritdoc/>
    public override void Flush(long now)
    {
        Inner.Flush(now);
        try
        {
            _writesTo?.Write();
            if (_ended is not null && _writesTo is { CutOffNanos: not null } full)
            {
                End(new IOException(full.WhyFull));
            }
        }
        catch (Exception e) when (_ended is not null)
        {
            End(e);
        }
    }

    /// <inheritdoc/>
    public override void FrameArrived(Link link, ReadOnlySpan<byte> frame, long now)
    {
        if ((uint)link < Links.Cables)
        {
            _links[(int)link]?.Received(frame, now);
        }

        base.FrameArrived(link, frame, now);
    }

    private void Record(Link link, Packet packet, long now)
    {
        if (_links[(int)link] is { } record)
        {
            try
            {
                record.Sent(Server, packet, MaxFrameLength, now);
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
}
