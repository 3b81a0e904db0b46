using CamCube.Messaging.Streams.Paths;
using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Streams.Connections;

/// <summary>What goes into its packets, and what comes in them.</summary>
internal sealed partial class StreamConnection
{
    /// <summary>Makes the next packet of a path: what streams have to say, then bytes of one after the other. Null:
    /// there is nothing, or no packet.</summary>
    public Packet? Make(ConnectionPath path)
    {
        if (_host.Rent(_host.MostBody) is not { } packet)
        {
            return null;
        }

        int frames = 0;
        FrameWriter writer = new(packet.WritableBody());
        if (path.MustProbe)
        {
            frames = WriteOldest(path, ref writer);
        }

        if (!path.IsSilent)
        {
            frames += WriteControl(path, ref writer);
            frames += _sending.Write(path, ref writer);
        }

        if (frames == 0)
        {
            if (!path.MustProbe)
            {
                _host.Server.Packets.Release(packet);
                return null;
            }

            writer.Ping();
            path.Add(new SentFrame(FrameType.Ping, 0));
            frames = 1;
        }

        packet.SetBodyLength(writer.Length);
        packet.Destination = Key.Peer;
        ref StreamHeader header = ref Head(packet, StreamPacketKind.Frames, path.Index);
        header.Packet = path.NextNumber;
        if (path.Close(frames, writer.Length, _host.NowNanos))
        {
            header.Path = header.Path.Ask();
        }

        if (!path.HasWindow && HasWork)
        {
            path.NoteUsedUp();
        }

        return packet;
    }

    /// <summary>Fills the library's part of a packet of this connection.</summary>
    public ref StreamHeader Head(Packet packet, StreamPacketKind kind, int path)
    {
        ref StreamHeader header = ref _host.Form.Of(packet);
        header = new StreamHeader
        {
            Run = _host.Run,
            PeerRun = (uint)PeerRun,
            Connection = Key.Number,
            Kind = kind,
            Path = new PathWord(path, Key.IsOpener),
        };
        return ref header;
    }

    /// <summary>A numbered packet has come. False: it cannot be, and the connection is over.</summary>
    public bool TryTake(Packet packet, in StreamHeader header)
    {
        long now = _host.NowNanos;
        NoteCame(now);
        ConnectionPath path = _paths.At(header.Path.Path);
        if (header.Kind == StreamPacketKind.Frames)
        {
            bool isNew = path.Received.TryAdd(header.Packet, header.Marked != 0, header.Path.Asks, now, AckDelayNanos);
            if (!isNew)
            {
                return true;
            }
        }

        FrameReader reader = new(packet.Body);
        while (State == ConnectionState.Open && reader.TryNext())
        {
            if (!TryTake(reader, now))
            {
                return false;
            }
        }

        return !reader.IsMalformed;
    }

    /// <summary>What a packet carried has arrived.</summary>
    public void Arrived(in SentFrame frame)
    {
        if (frame.Type != FrameType.Ping && _streams.TryGet(frame.Stream, out StreamBody? stream))
        {
            stream.Arrived(frame);
        }
    }

    /// <summary>What a packet carried is lost: it is said again.</summary>
    public void Lose(in SentFrame frame)
    {
        if (frame.Type != FrameType.Ping && _streams.TryGet(frame.Stream, out StreamBody? stream))
        {
            stream.Lose(frame);
        }
    }

    private int WriteControl(ConnectionPath path, ref FrameWriter writer)
    {
        int frames = 0;
        while (writer.Room >= StreamBody.MostControl && _control.TryDequeue(out StreamBody? stream))
        {
            stream.IsInControl = false;
            frames += stream.WriteControl(path, ref writer);
            stream.LetGo();
        }

        return frames;
    }

    // The frames of the oldest packet under way once more, as far as they still mean something.
    private int WriteOldest(ConnectionPath path, ref FrameWriter writer)
    {
        long oldest = path.OldestInFlight();
        int frames = 0;
        for (int i = 0; oldest >= 0 && i < path.FramesOf(oldest); i++)
        {
            SentFrame frame = path.FrameOf(oldest, i);
            if (frame.Type != FrameType.Ping && _streams.TryGet(frame.Stream, out StreamBody? stream))
            {
                frames += stream.WriteAgain(frame, path, ref writer) ? 1 : 0;
            }
        }

        return frames;
    }

    private bool TryTake(in FrameReader frame, long nowNanos)
    {
        switch (frame.Type)
        {
            case FrameType.Ping:
                return true;
            case FrameType.Ack:
                bool canBe = _paths.Find(frame.Path) is { } path && path.TryTakeAck(frame, nowNanos);
                Wake();
                return canBe;
            default:
                break;
        }

        if (!_streams.TryGet(frame.Stream, out StreamBody? stream))
        {
            bool isOwn = (frame.Stream & 1) == (Key.IsOpener ? 0 : 1);
            if (isOwn)
            {
                // One of ours that is over; never one that was not opened.
                return frame.Stream < _nextStream;
            }

            if (frame.Type == FrameType.Reset)
            {
                // Aborted before it was heard of: what of it is still under way begins nothing.
                IsNew(frame.Stream);
            }

            if (frame.Type != FrameType.Data || !frame.IsFirst || !IsNew(frame.Stream))
            {
                return true;
            }

            stream = _peersStreams.Count < MostGaps ? _host.AcceptStream(this, frame.Stream, frame.Purpose) : null;
            if (stream is null)
            {
                return false;
            }
        }

        return stream.TryTake(frame);
    }

    private bool IsNew(uint id) => _peersStreams.Add(id / 2, (id / 2) + 1) > 0;
}
