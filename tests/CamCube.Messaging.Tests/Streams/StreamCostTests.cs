using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Messaging.Tests.Streams;

/// <summary>What streams cost: nothing per packet and per stream, and little while they rest.</summary>
[Collection(nameof(Alone))]
public sealed class StreamCostTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0),
        Far = new(1, 1, 1);

    private static TestCube CubeOf(int x, int y, int z) =>
        new TestCube(x, y, z, new SimulatorOptions { MaxFrameLength = 9_014 }).Add(s => new Holder(s));

    [Fact]
    public void A_packet_of_a_stream_allocates_nothing()
    {
        using TestCube cube = CubeOf(3, 3, 3);
        cube[A].Service<Holder>().Stream(Far);
        cube[B].Service<Holder>().Stream(Far);
        cube.Advance(TimeSpan.FromMilliseconds(3_000));
        long read = cube[Far].Service<Holder>().Read,
            before = GC.GetAllocatedBytesForCurrentThread();
        cube.Advance(TimeSpan.FromMilliseconds(200));
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.True(cube[Far].Service<Holder>().Read - read > 50_000_000);
        Assert.Equal(0, allocated);
    }

#if !DEBUG
    [Fact]
    public void A_stream_that_is_opened_used_and_closed_allocates_nothing()
    {
        using TestCube cube = CubeOf(3, 3, 3);
        Holder from = cube[A].Service<Holder>();
        for (int i = 0; i < 9_000; i++)
        {
            from.Send(Far, 100);
            from.Send(B, 10_000);
            cube.Advance(TimeSpan.FromMicroseconds(100));
        }

        cube.AwaitUntil(() => from.Ended == 18_000);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 1_000; i++)
        {
            from.Send(Far, 100);
            from.Send(B, 10_000);
            cube.Advance(TimeSpan.FromMicroseconds(100));
        }

        cube.Advance(TimeSpan.FromMilliseconds(50));
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Equal(20_000, from.Ended);
        Assert.Equal(0, allocated);
    }
#endif

    [Fact]
    public void An_idle_stream_is_small_on_both_sides_and_those_after_it_still_get_memory()
    {
        const int Count = 100_000;
        using TestCube cube = CubeOf(2, 1, 1);
        Holder from = cube[A].Service<Holder>(),
            to = cube[B].Service<Holder>();
        Open(1_000);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        Open(Count);
        long bytes = GC.GetTotalMemory(forceFullCollection: true) - before;
        Assert.Equal(Count + 1_000, to.Accepted);
        Assert.InRange(bytes / (2.0 * Count), 0, 256);
        Assert.InRange(to.ReceiveBytes, 0, 32 << 20);
        from.Send(B, 3_000_000);
        cube.AwaitUntil(() => from.Ended == 1);

        void Open(int count)
        {
            for (int i = 0; i < count; i++)
            {
                from.Open(B);
                if (i % 500 == 0)
                {
                    cube.Advance(TimeSpan.FromMilliseconds(1));
                }
            }

            cube.Advance(TimeSpan.FromMilliseconds(100));
        }
    }

    /// <summary>Reads and counts; nothing of it allocates.</summary>
    [CamCubeService(0x0779, "holder", Header = typeof(Letter))]
    private sealed class Holder : CamCubeService, IStreamHandler
    {
        private static readonly byte[] Bytes = new byte[10_000];
        private readonly StreamEndpoint<Letter> _endpoint;

        public Holder(IServer server) => _endpoint = new StreamEndpoint<Letter>(server, new StreamOptions(), this);

        public long Read { get; private set; }

        public int Accepted { get; private set; }

        public int Ended { get; private set; }

        public long ReceiveBytes => _endpoint.ReceiveBytes;

        public void Open(Coordinate to) => Assert.Equal(StreamOpen.Ok, _endpoint.TryOpen(to, default, out _));

        public void Stream(Coordinate to)
        {
            _endpoint.TryOpen(to, default, out ReliableStream? stream);
            OnWritable(stream!);
        }

        public void Send(Coordinate to, int length)
        {
            _endpoint.TryOpen(to, new StreamParameters { Label = 1 }, out ReliableStream? stream);
            for (int left = length; left > 0; left -= Bytes.Length)
            {
                stream!.Write(Bytes.AsSpan(0, Math.Min(left, Bytes.Length)));
            }

            stream!.Complete();
        }

        public override void OnStart() => _endpoint.Start();

        public override void OnStop(StopReason reason) => _endpoint.Stop();

        public override Verdict OnPacket(in HopContext hop, Packet packet) => _endpoint.OnPacket(hop, packet);

        public override void OnTopologyChanged(in TopologyChange change) => _endpoint.OnTopologyChanged(change);

        public bool OnIncoming(ReliableStream stream)
        {
            Accepted++;
            return true;
        }

        public void OnReadable(ReliableStream stream)
        {
            while (stream.Peek() is { IsEmpty: false } bytes)
            {
                Read += bytes.Length;
                stream.Consume(bytes.Length);
            }

            if (stream.IsAtEnd)
            {
                stream.Complete();
            }
        }

        public void OnWritable(ReliableStream stream)
        {
            while (stream.Write(Bytes) > 0) { }
        }

        public void OnEnded(ReliableStream stream)
        {
            Ended++;
            stream.Dispose();
        }
    }
}
