using System.Collections.Concurrent;

namespace CamCube.Runtime.Tests;

/// <summary>Cables of one process: frames of bytes in rings in memory, between servers that have threads of their
/// own.</summary>
internal sealed class MemoryWire(TorusShape shape) : ILinkProvider
{
    private readonly ConcurrentDictionary<int, Driver> _drivers = new();
    private volatile Driver? _unplaced;

    public string Name => "Memory";

    public bool FindsCoordinate { get; init; }

    public int MaxFrameLength { get; init; } = 1_514;

    public TorusShape Shape => shape;

    /// <summary>Asked for each frame: true loses it.</summary>
    public volatile Func<int, Link, bool>? Lose;

    /// <summary>What the links throw at the end of the next step.</summary>
    public volatile Func<Exception>? Throw;

    /// <summary>What a provider on these cables is asked.</summary>
    public static LinkProviderRequest Request(TorusShape shape, Coordinate? coordinate) =>
        new(coordinate, shape, new Dictionary<string, string> { ["works"] = "yes" }) { Time = TimeProvider.System };

    public LinkDriver Open(LinkProviderRequest request)
    {
        Assert.Equal(shape, request.Shape);
        Assert.Equal("yes", request.Settings["works"]);
        if (request.Coordinate is not { } coordinate)
        {
            return _unplaced = new Driver(this, -1);
        }

        var driver = new Driver(this, shape.RankOf(coordinate));
        _drivers[driver.Rank] = driver;
        return driver;
    }

    /// <summary>The server that was opened without a coordinate finds out that it is this one.</summary>
    public void PlaceUnplaced(int rank)
    {
        Driver driver = _unplaced!;
        _drivers[rank] = driver;
        driver.Rank = rank;
        driver.Wake();
    }

    /// <summary>Bytes arrive at a server, from wherever.</summary>
    public void Inject(int rank, Link link, byte[] frame)
    {
        if (_drivers.TryGetValue(rank, out Driver? driver))
        {
            driver.Put(link, frame);
        }
    }

    public bool IsClosed(int rank) => _drivers[rank].IsClosed;

    private void Carry(int rank, Link link, byte[] frame)
    {
        if (Lose?.Invoke(rank, link) != true)
        {
            Inject(shape.RankOf(shape.Step(shape.At(rank), link)), link.Opposite(), frame);
        }
    }

    private sealed class Driver(MemoryWire wire, int rank) : LinkDriver
    {
        private const int Ring = 256;
        private readonly ConcurrentQueue<byte[]>[] _in =
        [
            .. Enumerable.Range(0, Links.Cables).Select(_ => new ConcurrentQueue<byte[]>()),
        ];
        private readonly AutoResetEvent _wake = new(false);
        private readonly byte[] _buffer = new byte[1_500];
        private readonly List<(Link Link, byte[] Frame)> _gathered = [];

        // A driver that reports Full and frees the link later is exercised too: every 8th frame.
        private volatile int _rank = rank;
        private int _sent;
        private ILinkEvents? _sink;

        public int Rank
        {
            get => _rank;
            set => _rank = value;
        }

        public volatile bool IsClosed;

        public override int MaxFrameLength => wire.MaxFrameLength;

        public override bool TryPlace(long now, out Coordinate coordinate, out long deadline)
        {
            deadline = now + 1_000_000_000;
            coordinate = _rank < 0 ? default : wire.Shape.At(_rank);
            return _rank >= 0;
        }

        public override long Transmit(Link link, Packet packet, long now)
        {
            int n = (_sink ?? throw new InvalidOperationException("Transmit before Receive")).Encode(packet, _buffer);
            _gathered.Add((link, _buffer[..n]));
            return ++_sent % 8 == 0 ? Full : now;
        }

        public override void Flush(long now)
        {
            if (wire.Throw is { } make)
            {
                throw make();
            }

            foreach ((Link link, byte[] frame) in _gathered)
            {
                wire.Carry(_rank, link, frame);
            }

            _gathered.Clear();
        }

        public override int Receive(ILinkEvents sink, int budget, long now)
        {
            _sink = sink;
            int n = 0;
            for (int link = 0; link < Links.Cables; link++)
            {
                sink.LinkFree((Link)link, now);
                for (int i = 0; i < budget && _in[link].TryDequeue(out byte[]? frame); i++, n++)
                {
                    sink.FrameArrived((Link)link, frame, now);
                }
            }

            return n;
        }

        public void Put(Link link, byte[] frame)
        {
            if (_in[(int)link].Count < Ring)
            {
                _in[(int)link].Enqueue(frame);
                _wake.Set();
            }
        }

        public override void Wait(long nowNanos, long deadlineNanos)
        {
            long millis = Math.Clamp((deadlineNanos - nowNanos) / 1_000_000, 0, 100);
            _wake.WaitOne((int)millis);
        }

        public override void Wake() => _wake.Set();

        public override void Close() => IsClosed = true;
    }
}
