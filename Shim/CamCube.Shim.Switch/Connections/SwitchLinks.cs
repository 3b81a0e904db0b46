using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using CamCube.Linux;
using CamCube.Shim.Switch.Format;
using CamCube.Shim.Switch.Settings;

namespace CamCube.Shim.Switch.Connections;

/// <summary>
/// The links of one server over connections with all others: a packet goes to where it ends in one step, whatever link
/// the server gives it to, and one whose link a service chose goes to the neighbour there. Loop only, except
/// <see cref="Wake"/>.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class SwitchLinks : LinkDriver, ISwitchEvents
{
    private const int EthernetHeader = 14;

    /// <summary>As on a cable of 1 Gbit/s.</summary>
    private const long LostNanosPerByte = 8;

    private readonly TorusShape _shape;
    private readonly SwitchOptions _options;
    private readonly Switchboard _board;
    private readonly LinkSet _cabled;
    private readonly List<SwitchPeer> _dirty = [];
    private readonly List<SwitchPeer> _crowded = [];
    private readonly int _room;
    private ILinkEvents? _server;

    /// <summary>Listens; connects from the first step on.</summary>
    /// <exception cref="LinkProviderException">The address cannot be had.</exception>
    public SwitchLinks(LinkProviderRequest request, SwitchOptions options)
    {
        (_shape, _options, _room) = (request.Shape, options, options.MaxFrameLength - EthernetHeader);
        _cabled = _shape.CabledLinks(request.Coordinate!.Value);
        _board = new Switchboard(request, options, this);
    }

    /// <inheritdoc/>
    public override int MaxFrameLength => _options.MaxFrameLength;

    /// <inheritdoc/>
    public override bool EndsAtNeighbours => false;

    /// <summary>What became of connections.</summary>
    public SwitchCounts Counts => _board.Counts;

    /// <inheritdoc/>
    public override void Attach(ILinkEvents server) => _server = server;

    /// <inheritdoc/>
    public override long Transmit(Link link, Packet packet, long now)
    {
        ILinkEvents server = _server!;
        Coordinate to = server.AddresseeOf(link, packet);
        SwitchPeer peer = _board.PeerOf(to);
        if (!peer.IsOpen || peer.IsSlow)
        {
            // It takes its time, as on a cable: who always has something to send would do nothing else.
            long busy = packet.WireLength * LostNanosPerByte;
            server.Lose(packet);
            server.FrameDropped(link, peer.IsSlow ? DropReason.QueueFull : DropReason.LinkDown);
            return now + busy;
        }

        Span<byte> room = peer.Queue.Rent(RecordFormat.Header + _room);
        int length = server.Encode(packet, room[RecordFormat.Header..]);
        RecordFormat.Write(room, ArrivalOf(link, to), length);
        peer.Queue.Commit(RecordFormat.Header + length);
        if (!peer.IsDirty)
        {
            peer.IsDirty = true;
            _dirty.Add(peer);
        }

        if (peer.Queue.IsFull)
        {
            _board.Send(peer, now);
        }

        if (!peer.Queue.IsFull)
        {
            return now;
        }

        if (peer.FullSince == SwitchPeer.Never)
        {
            peer.FullSince = now;
            _crowded.Add(peer);
            _board.Hurry(now + _options.FullNanos);
        }

        peer.Waiting |= link;
        return Full;
    }

    /// <inheritdoc/>
    public override void Flush(long now)
    {
        foreach (SwitchPeer peer in _dirty)
        {
            if (peer.IsDirty)
            {
                _board.Send(peer, now);
            }
        }

        _dirty.Clear();
        FreeLinks(now);
    }

    /// <inheritdoc/>
    public override int Receive(ILinkEvents sink, int budget, long now)
    {
        _server = sink;
        _board.Poll(0);
        int frames = 0;
        List<Connection> readable = _board.Readable;
        int count = readable.Count;
        for (int i = 0; i < count; i++)
        {
            Connection connection = readable[i];
            connection.IsListed = false;
            if (Take(connection, budget, now, ref frames))
            {
                connection.IsListed = true;
                readable.Add(connection);
            }
        }

        readable.RemoveRange(0, count);
        _board.Turn(now);
        FreeLinks(now);
        return frames;
    }

    /// <inheritdoc/>
    public override void Wait(long nowNanos, long deadlineNanos)
    {
        deadlineNanos = Math.Min(deadlineNanos, _board.Deadline);
        if (deadlineNanos > nowNanos && _board.Readable.Count == 0)
        {
            _board.Poll(deadlineNanos - nowNanos);
        }
    }

    /// <inheritdoc/>
    public override bool TryWatch(SafeHandle descriptor, Action happened)
    {
        _board.Watch(descriptor, happened);
        return true;
    }

    /// <inheritdoc/>
    public override void Wake() => _board.Wake();

    /// <inheritdoc/>
    public override void Close() => _board.Dispose();

    /// <inheritdoc/>
    void ISwitchEvents.Closed(SwitchPeer peer, int lost, long now)
    {
        // Before the first step nobody can have been connected, so there is a server.
        for (int i = 0; i < lost; i++)
        {
            _server!.FrameDropped(Link.XPlus, DropReason.LinkDown);
        }

        Relieve(peer, now);
        (peer.FullSince, peer.IsSlow) = (SwitchPeer.Never, false);
        foreach (Link link in peer.Links)
        {
            _server!.LinkChanged(link, up: false, now);
        }
    }

    /// <inheritdoc/>
    void ISwitchEvents.Dropped(DropReason reason) => _server!.FrameDropped(Link.XPlus, reason);

    // The link is the one it would have come by last, or the axis's other one where a server has only that.
    private Link ArrivalOf(Link link, Coordinate at) =>
        _shape.CabledLinks(at).Contains(link.Opposite()) ? link.Opposite() : link;

    /// <summary>Takes what came on a connection. Whether there may be more.</summary>
    private bool Take(Connection connection, int budget, long now, ref int frames)
    {
        int taken = 0;
        while (connection.State is ConnectionState.Greeting or ConnectionState.Open)
        {
            if (TakeOne(connection, now, ref frames))
            {
                if (++taken >= budget)
                {
                    return connection.State != ConnectionState.Closed;
                }

                continue;
            }

            if (connection.State == ConnectionState.Closed)
            {
                return false;
            }

            int count = connection.Receive();
            if (count == -SystemError.Again)
            {
                return false;
            }

            if (count > 0)
            {
                connection.HeardAt = now;
            }
            else if (count != -SystemError.Interrupted)
            {
                _board.CloseEnded(connection, now);
            }
        }

        return false;
    }

    /// <summary>Takes one greeting or record. False: none is there whole, or the connection is closed.</summary>
    private bool TakeOne(Connection connection, long now, ref int frames)
    {
        ReadOnlySpan<byte> bytes = connection.Bytes;
        if (connection.State == ConnectionState.Greeting)
        {
            if (bytes.Length < Greeting.Length)
            {
                return false;
            }

            _board.Greet(connection, now);
            return connection.State != ConnectionState.Closed;
        }

        if (bytes.Length < RecordFormat.Header)
        {
            return false;
        }

        if (
            !RecordFormat.TryRead(bytes, _room, out Link link, out int length)
            || (length > 0 && !_cabled.Contains(link))
        )
        {
            _board.CloseMalformed(connection, now);
            return false;
        }

        if (bytes.Length < RecordFormat.Header + length)
        {
            return false;
        }

        connection.Use(RecordFormat.Header + length);
        if (length > 0)
        {
            frames++;
            _server!.FrameArrived(link, bytes.Slice(RecordFormat.Header, length), now);
        }

        return true;
    }

    // Of all, since those are few: peers whose queue was full of late.
    private void FreeLinks(long now)
    {
        for (int i = _crowded.Count - 1; i >= 0; i--)
        {
            SwitchPeer peer = _crowded[i];
            if (peer.Queue.IsHalfEmpty)
            {
                (peer.FullSince, peer.IsSlow) = (SwitchPeer.Never, false);
                Relieve(peer, now);
                _crowded.RemoveAt(i);
            }
            else if (!peer.IsSlow && now - peer.FullSince >= _options.FullNanos)
            {
                peer.IsSlow = true;
                Relieve(peer, now);
            }
        }
    }

    private void Relieve(SwitchPeer peer, long now)
    {
        foreach (Link link in peer.Waiting)
        {
            _server!.LinkFree(link, now);
        }

        peer.Waiting = LinkSet.None;
    }
}
