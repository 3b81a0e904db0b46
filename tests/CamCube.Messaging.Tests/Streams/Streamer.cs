namespace CamCube.Messaging.Tests.Streams;

/// <summary>A service that writes a function of (label, offset) into streams, and checks it in those it gets.</summary>
[CamCubeService(0x0778, "streamer", Header = typeof(Letter))]
public sealed class Streamer : CamCubeService, IStreamHandler
{
    private readonly Dictionary<ReliableStream, long> _toWrite = [];
    private readonly List<ReliableStream> _lazy = [];
    private readonly IServer _server;

    public Streamer(IServer server, StreamOptions? options = null)
    {
        _server = server;
        Endpoint = new StreamEndpoint<Letter>(server, options ?? new StreamOptions(), this);
    }

    public StreamEndpoint<Letter> Endpoint { get; }

    public IServer Server => _server;

    /// <summary>Bytes that were read and right, by label.</summary>
    public Dictionary<ulong, long> Read { get; } = [];

    /// <summary>Labels of streams that were read to their end.</summary>
    public HashSet<ulong> Whole { get; } = [];

    public List<(ulong Label, StreamEnd End)> Ends { get; } = [];

    /// <summary>Labels of streams that it was told of, in order.</summary>
    public List<ulong> Incoming { get; } = [];

    /// <summary>Bytes that were not what was written.</summary>
    public long Wrong { get; private set; }

    public bool Refuses { get; set; }

    /// <summary>Bytes that it writes into what it gets.</summary>
    public int Answers { get; set; }

    /// <summary>Gives what it gets back at once.</summary>
    public bool IsLeaving { get; set; }

    /// <summary>Reads nothing.</summary>
    public bool IsLazy { get; set; }

    /// <summary>The label of one that is read all the same.</summary>
    public ulong? Reads { get; private set; }

    /// <summary>Has what it gets instead of it.</summary>
    public Action<ReliableStream>? Taken { get; set; }

    public static byte At(ulong label, long offset) => (byte)((label * 31) + (ulong)offset + ((ulong)offset >> 8));

    public override void OnStart() => Endpoint.Start();

    public override void OnStop(StopReason reason) => Endpoint.Stop();

    public override Verdict OnPacket(in HopContext hop, Packet packet) => Endpoint.OnPacket(hop, packet);

    public override void OnTopologyChanged(in TopologyChange change) => Endpoint.OnTopologyChanged(change);

    public ReliableStream Send(Coordinate to, ulong label, long length, StreamPaths paths) =>
        Send(to, label, length, new StreamParameters { Paths = paths });

    public ReliableStream Send(
        Destination to,
        ulong label,
        long length,
        StreamParameters parameters = default,
        bool complete = true
    )
    {
        StreamOpen opened = Endpoint.TryOpen(to, parameters with { Label = label }, out ReliableStream? stream);
        Assert.Equal(StreamOpen.Ok, opened);
        if (complete)
        {
            _toWrite[stream!] = length;
            Write(stream!);
        }

        return stream!;
    }

    /// <summary>Reads what it was too lazy to read.</summary>
    public void Awake()
    {
        IsLazy = false;
        foreach (ReliableStream stream in _lazy.ToArray())
        {
            OnReadable(stream);
        }
    }

    /// <summary>Reads one of those it was too lazy to read, from now on.</summary>
    public void Awake(ulong label)
    {
        Reads = label;
        foreach (ReliableStream stream in _lazy.Where(s => s.Label == label).ToArray())
        {
            OnReadable(stream);
        }
    }

    /// <summary>Sends any bytes as header and body.</summary>
    public void SendRaw(byte[] header, byte[] body, Coordinate to)
    {
        if (_server.Packets.TryRent(body.Length, out Packet? packet))
        {
            header.CopyTo(packet.HeaderSpan);
            body.CopyTo(packet.WritableBody());
            _server.Send(packet, to);
        }
    }

    public bool OnIncoming(ReliableStream stream)
    {
        if (Refuses)
        {
            return false;
        }

        Incoming.Add(stream.Label);
        Read.TryAdd(stream.Label, 0);
        if (IsLeaving)
        {
            stream.Complete();
            stream.Dispose();
            return true;
        }

        if (Taken is { } taken)
        {
            taken(stream);
            return true;
        }

        _lazy.Add(stream);
        stream.Write(new byte[Answers]);
        stream.Complete();
        return true;
    }

    public void OnReadable(ReliableStream stream)
    {
        while ((!IsLazy || stream.Label == Reads) && stream.Peek() is { IsEmpty: false } bytes)
        {
            long at = Read[stream.Label];
            foreach (byte value in bytes)
            {
                Wrong += value == At(stream.Label, at++) ? 0 : 1;
            }

            Read[stream.Label] = at;
            stream.Consume(bytes.Length);
        }

        // A stream to this very server is told of on both sides.
        if (stream.IsAtEnd && Read.ContainsKey(stream.Label) && !_toWrite.ContainsKey(stream))
        {
            Whole.Add(stream.Label);
        }
    }

    public void OnWritable(ReliableStream stream) => Write(stream);

    public void OnEnded(ReliableStream stream)
    {
        Ends.Add((stream.Label, stream.End));
        _toWrite.Remove(stream);
        _lazy.Remove(stream);
        stream.Dispose();
    }

    private void Write(ReliableStream stream)
    {
        Span<byte> piece = stackalloc byte[3_000];
        while (_toWrite.TryGetValue(stream, out long length) && stream.Written < length)
        {
            int n = (int)Math.Min(piece.Length, length - stream.Written);
            for (int i = 0; i < n; i++)
            {
                piece[i] = At(stream.Label, stream.Written + i);
            }

            if (stream.Write(piece[..n]) < n)
            {
                return;
            }
        }

        stream.Complete();
    }
}
