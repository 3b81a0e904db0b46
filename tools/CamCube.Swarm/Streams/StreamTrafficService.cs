using CamCube.Messaging;

namespace CamCube.Swarm.Streams;

/// <summary>One server's part of the streams of a cube: opens them at random times to random servers, and does with
/// them and with those that others open what their plans say.</summary>
[CamCubeService(0x7110, "swarm-streams", Header = typeof(StreamPacketHeader))]
public class StreamTrafficService : CamCubeService, IStreamHandler
{
    // How often those are looked at who do something when time has passed.
    private const long TickNanos = 2_000_000;
    private const int PieceLength = 4_096;
    private readonly IServer _server;
    private readonly StreamTraffic _traffic;
    private readonly Random _random;
    private readonly ServerTimer _timer;
    private readonly Dictionary<ReliableStream, StreamSide> _sides = [];
    private readonly byte[] _piece = new byte[PieceLength];
    private long _nextOpenNanos;
    private ulong _opened;

    /// <summary>The service of one server.</summary>
    public StreamTrafficService(IServer server, StreamTraffic traffic)
    {
        (_server, _traffic) = (server, traffic);
        Rank = server.Shape.RankOf(server.Coordinate);
        Endpoint = new StreamEndpoint<StreamPacketHeader>(server, traffic.Settings.Options, this);
        _random = server.Random.Create($"streams {Endpoint.Run}");
        _timer = server.CreateTimer(Tick);
    }

    /// <summary>The server's place in the cube.</summary>
    public int Rank { get; }

    /// <summary>The same for people.</summary>
    public Coordinate Place => _server.Coordinate;

    /// <summary>Its streams.</summary>
    public StreamEndpoint<StreamPacketHeader> Endpoint { get; }

    /// <summary>Sides of streams that it has.</summary>
    public IReadOnlyCollection<StreamSide> Sides => _sides.Values;

    /// <summary>Bytes that it has read.</summary>
    public long Read { get; private set; }

    /// <summary>Bytes that were not what was written.</summary>
    public long Wrong { get; private set; }

    /// <inheritdoc/>
    public override void OnStart()
    {
        Endpoint.Start();
        _traffic.Ledger?.Started(this);
        _nextOpenNanos = _server.NowNanos + Gap();
        Tick();
    }

    /// <inheritdoc/>
    public override void OnStop(StopReason reason)
    {
        Endpoint.Stop();
        StreamOpen answer = Endpoint.TryOpen(Place, default, out ReliableStream? none);
        if (none is not null || answer != StreamOpen.Closed)
        {
            _traffic.Ledger?.NoteOpenedAfterStop(this, answer);
        }
    }

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet) => Endpoint.OnPacket(hop, packet);

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change) => Endpoint.OnTopologyChanged(change);

    /// <inheritdoc/>
    public bool OnIncoming(ReliableStream stream)
    {
        var plan = new StreamPlan(stream.Label, _traffic.Settings.Longest);
        bool isRight = _traffic.Ledger?.Accepted(this, stream) ?? true;
        if (plan.IsRefused || !isRight)
        {
            return false;
        }

        var side = new StreamSide(this, stream, plan, isOpener: false, _piece, _server.NowNanos);
        _sides.Add(stream, side);
        _traffic.Ledger?.Add(side);
        side.Begin();
        return true;
    }

    /// <inheritdoc/>
    public void OnReadable(ReliableStream stream) => _sides.GetValueOrDefault(stream)?.OnReadable();

    /// <inheritdoc/>
    public void OnWritable(ReliableStream stream) => _sides.GetValueOrDefault(stream)?.Write();

    /// <inheritdoc/>
    public void OnEnded(ReliableStream stream)
    {
        bool isAnother = stream.End.Reason == StreamEndReason.PeerRestarted;
        Coordinate peer = stream.Peer;
        if (_sides.GetValueOrDefault(stream) is { } side)
        {
            side.OnEnded();
            _traffic.Ledger?.Ended(side);
        }

        // Whoever has lost a stream opens another at once, in the middle of the news.
        if (isAnother && _traffic.IsOn)
        {
            Open(peer);
        }
    }

    /// <summary>Begins work that waits.</summary>
    internal void Run(Func<ValueTask> work) => _server.Loop.Run(work);

    /// <summary>A side was given back.</summary>
    internal void Forget(ReliableStream stream) => _sides.Remove(stream);

    /// <summary>Bytes were read.</summary>
    internal void NoteRead(int bytes)
    {
        Read += bytes;
        _traffic.Ledger?.NoteRead(this);
    }

    /// <summary>A byte was not what was written.</summary>
    internal void NoteWrong(StreamSide side, long offset)
    {
        Wrong++;
        _traffic.Ledger?.NoteWrong(side, offset);
    }

    private void Tick()
    {
        long now = _server.NowNanos;
        if (_nextOpenNanos <= now)
        {
            _nextOpenNanos = now + Gap();
            if (_traffic.IsOn && _sides.Values.Count(s => s.IsOpener) < _traffic.Settings.MostOpen)
            {
                // Often to a neighbour or the same server again, so that several share a connection.
                Open(
                    _server.Shape.At(
                        _random.Next(_random.Next(2) == 0 ? Math.Min(3, _server.Shape.Count) : _server.Shape.Count)
                    )
                );
            }
        }

        foreach (StreamSide side in _sides.Values.ToArray())
        {
            side.Tick(now, !_traffic.IsOn);
        }

        long next = _sides.Count > 0 || !_traffic.IsOn ? now + TickNanos : _nextOpenNanos;
        _timer.ArmAt(Math.Min(next, _nextOpenNanos));
    }

    private void Open(Coordinate to)
    {
        ulong label = Mix(Mix(_traffic.Settings.Seed + Mix(Endpoint.Run ^ ((ulong)Rank << 48))) + ++_opened);
        var plan = new StreamPlan(label, _traffic.Settings.Longest);
        StreamOpen answer = Endpoint.TryOpen(
            to,
            new StreamParameters { Label = label, Paths = plan.Paths },
            out ReliableStream? stream
        );
        _traffic.Ledger?.NoteOpen(answer);
        if (stream is not null)
        {
            var side = new StreamSide(this, stream, plan, isOpener: true, _piece, _server.NowNanos);
            _sides.Add(stream, side);
            _traffic.Ledger?.Opened(side, _server.Shape.RankOf(to));
            side.Begin();
        }
    }

    private long Gap() =>
        (long)Math.Min(10e9, -Math.Log(1 - _random.NextDouble()) * 1e9 / _traffic.Settings.StreamsPerSecond);

    private static ulong Mix(ulong z)
    {
        z += 0x9E37_79B9_7F4A_7C15UL;
        z = (z ^ (z >> 30)) * 0xBF58_476D_1CE4_E5B9UL;
        z = (z ^ (z >> 27)) * 0x94D0_49BB_1331_11EBUL;
        return z ^ (z >> 31);
    }
}
