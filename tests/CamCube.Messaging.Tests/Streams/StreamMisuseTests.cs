using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Messaging.Tests.Streams;

/// <summary>Services that do with streams what they had better not: nothing throws that is not said to, nothing is
/// left, and others go on.</summary>
public sealed class StreamMisuseTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0),
        C = new(2, 2, 0);

    public enum Place
    {
        Incoming,
        IncomingAndRefuses,
        Readable,
        Writable,
        Ended,
    }

    [Theory]
    [InlineData(Place.Incoming)]
    [InlineData(Place.IncomingAndRefuses)]
    [InlineData(Place.Readable)]
    [InlineData(Place.Writable)]
    [InlineData(Place.Ended)]
    public void A_stream_may_be_given_back_in_any_callback(Place place)
    {
        using var cube = new TestCube(3, 3, 1);
        cube.Add(s => new Careless(s));
        var random = new Random((int)place);
        cube.Lose = (_, _, packet) => packet.Service.Value == 0x0779 && random.NextDouble() < 0.02;
        Careless to = cube[B].Service<Careless>();
        to.Leaves = place;
        int opened = 0;
        foreach (int rank in Enumerable.Range(0, 9).Where(r => r != cube.Shape.RankOf(B)))
        {
            for (int i = 0; i < 25; i++, opened++)
            {
                cube[rank].Service<Careless>().Write(B, length: i * 4_000);
            }
        }

        bool IsOver() => Enumerable.Range(0, 9).Sum(r => cube[r].Service<Careless>().Ended) >= opened;
        cube.AwaitUntil(IsOver);
        cube.AwaitUntil(() => Enumerable.Range(0, 9).All(r => cube[r].Service<Careless>().Endpoint.Streams == 0));
        Assert.True(to.Left >= opened / 2, $"{to.Left} left");
        AssertNothingLeft<Careless>(cube, s => s.Endpoint);
    }

    [Fact]
    public void A_wait_that_nobody_looks_at_is_nobody_elses_and_two_at_once_are_refused()
    {
        using var cube = new TestCube(2, 2, 1);
        cube.Add(s => new Careless(s));
        Careless from = cube[A].Service<Careless>(),
            to = cube[B].Service<Careless>();
        for (int i = 0; i < 300; i++)
        {
            from.Endpoint.TryOpen(B, default, out ReliableStream? first);
            ValueTask<bool> nobodys = first!.ReadableAsync();
            Assert.Throws<InvalidOperationException>(() => first.ReadableAsync().IsCompleted);
            while (first.Write(new byte[10_000]) > 0) { }

            ValueTask<bool> forgotten = first.WritableAsync();
            Assert.Throws<InvalidOperationException>(() => first.WritableAsync().IsCompleted);
            first.Dispose();
            Assert.True(nobodys.IsCompleted && forgotten.IsCompleted);

            // Whoever has the same object later waits for its own.
            from.Endpoint.TryOpen(B, default, out ReliableStream? second);
            ValueTask<bool> readable = second!.ReadableAsync();
            second.Write(new byte[100]);
            second.Complete();
            cube.AwaitUntil(() => readable.IsCompleted);
            Assert.False(cube.Await(readable));
            second.Dispose();
            if (i % 2 == 0)
            {
                Assert.False(cube.Await(nobodys));
                Assert.False(cube.Await(forgotten));
            }
        }

        cube.AwaitUntil(() => from.Endpoint.Streams + to.Endpoint.Streams == 0);
        AssertNothingLeft<Careless>(cube, s => s.Endpoint);
    }

    [Fact]
    public void A_writer_that_never_completes_costs_its_credit_and_ends_with_its_server()
    {
        using TestCube cube = CubeOf(3, 3, 1);
        Streamer to = cube[B].Service<Streamer>();
        for (int rank = 0; rank < 9; rank++)
        {
            for (ulong i = 0; i < 20 && cube.Shape.At(rank) != B; i++)
            {
                ReliableStream stream = cube[rank]
                    .Service<Streamer>()
                    .Send(B, 100 * (ulong)rank + i, 0, complete: false);
                stream.Write(new byte[i * 1_000]);
            }
        }

        cube.Advance(TimeSpan.FromSeconds(1));
        long reserved = to.Endpoint.ReceiveBytes;
        cube.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal((160, reserved), (to.Endpoint.Streams, to.Endpoint.ReceiveBytes));
        Assert.Empty(to.Ends);
        cube.Kill(A);
        cube.Shutdown(C);
        cube.AwaitUntil(() => to.Ends.Count == 40);
        Assert.All(to.Ends, e => Assert.Equal(StreamEndReason.PeerLost, e.End.Reason));
        Assert.Equal(120, to.Endpoint.Streams);

        // A quarter has come back; some were allowed more than others, who had said that they were blocked.
        Assert.InRange(to.Endpoint.ReceiveBytes, reserved * 110 / 160, reserved * 130 / 160);
        Assert.Empty(cube.Faults);
    }

    [Fact]
    public void In_OnStop_nothing_is_opened_any_more()
    {
        using var cube = new TestCube(3, 3, 1);
        cube.Add(s => new Careless(s));
        cube[A].Service<Careless>().OpensInStop = B;
        cube[C].Service<Careless>().Write(A, 3_000_000);
        cube[A].Service<Careless>().Write(C, 3_000_000);
        cube.Advance(TimeSpan.FromMilliseconds(5));
        Careless stopped = cube[A].Service<Careless>();
        cube.Shutdown(A);
        Assert.Equal(StreamOpen.Closed, stopped.OpenedAfterStop);
        Assert.Equal((0, 0L), (stopped.Endpoint.Connections, stopped.Endpoint.SendBytes));
        cube.AwaitUntil(() => cube[C].Service<Careless>().Endpoint.Streams == 0);
        Assert.Equal(0, cube[B].Service<Careless>().Endpoint.Streams);
        Assert.Empty(cube.Faults);
    }

    [Fact]
    public void To_a_server_that_is_off_there_is_no_way_or_the_stream_ends_with_a_reason()
    {
        using TestCube cube = CubeOf(3, 3, 1);
        Streamer from = cube[A].Service<Streamer>();
        cube[B].Service<Streamer>();
        cube.Kill(B);
        from.Send(B, 1, 100_000);
        cube[C].Service<Streamer>().Send(B, 2, 100_000);
        cube.AwaitUntil(() => from.Ends.Count == 1 && cube[C].Service<Streamer>().Ends.Count == 1);
        Assert.Equal(StreamEndReason.PeerLost, from.Ends[0].End.Reason);
        Assert.Equal(StreamEndReason.PeerLost, cube[C].Service<Streamer>().Ends[0].End.Reason);
        cube.AwaitConverged();
        Assert.Equal(StreamOpen.NoRoute, from.Endpoint.TryOpen(B, default, out ReliableStream? none));
        Assert.Null(none);
        Assert.Equal(StreamOpen.Unsupported, from.Endpoint.TryOpen(new Coordinate(7, 0, 0), default, out _));
        cube.Revive(B);
        cube.AwaitConverged();
        from.Send(B, 3, 100_000);
        cube.AwaitUntil(() => from.Ends.Count == 2);
        Assert.Equal(StreamEndReason.Finished, from.Ends[1].End.Reason);
        AssertNothingLeft<Streamer>(cube, s => s.Endpoint);
    }

    [Fact]
    public void To_a_key_in_a_partition_each_side_has_its_root_and_afterwards_there_is_one()
    {
        using TestCube cube = CubeOf(3, 3, 1);
        Key key = Key.OfName("divided").WithCoordinate(B);
        Streamer[] rest =
        [
            .. Enumerable.Range(0, 9).Where(r => cube.Shape.At(r) != B).Select(r => cube[r].Service<Streamer>()),
        ];
        Streamer alone = cube[B].Service<Streamer>();
        cube.CutOff(B);

        // Some while nobody knows yet, some when all do; one inside.
        for (int i = 0; i < 8; i++)
        {
            rest[i].Send(key, (ulong)i, 50_000);
        }

        alone.Send(key, 90, 50_000);
        cube.AwaitUntil(() => rest.Sum(s => s.Ends.Count(e => e.Label < 8)) >= 8 && alone.Ends.Count == 2);
        Coordinate standIn = cube[A].Topology.RootOf(key);
        Assert.NotEqual(B, standIn);
        for (int i = 0; i < 8; i++)
        {
            ulong label = 10 + (ulong)i;
            byte[] bytes = [.. Enumerable.Range(0, 10_000).Select(at => Streamer.At(label, at))];
            rest[i].Send(key, label, 0, complete: false).Write(bytes);
        }

        cube.Advance(TimeSpan.FromMilliseconds(50));
        Streamer root = cube[standIn].Service<Streamer>();
        Assert.All(Enumerable.Range(0, 8), i => Assert.Equal(50_000, root.Read[(ulong)i]));
        Assert.All(rest.SelectMany(s => s.Ends), e => Assert.Equal(StreamEndReason.Finished, e.End.Reason));

        cube.MendAll(B);
        cube.AwaitUntil(() => rest.All(s => s.Ends.Any(e => e.Label >= 10)));
        Assert.All(
            rest.SelectMany(s => s.Ends).Where(e => e.Label >= 10),
            e => Assert.Equal(new StreamEnd(StreamEndReason.RootMoved) { Root = B }, e.End)
        );
        for (int i = 0; i < 8; i++)
        {
            rest[i].Send(key, 20 + (ulong)i, 50_000);
        }

        cube.AwaitUntil(() => Enumerable.Range(20, 8).All(i => alone.Whole.Contains((ulong)i)));
        Assert.Equal(0, rest.Sum(s => s.Wrong) + alone.Wrong);
        AssertNothingLeft<Streamer>(cube, s => s.Endpoint);
    }

    private static TestCube CubeOf(int x, int y, int z) =>
        new TestCube(x, y, z, new SimulatorOptions { MaxFrameLength = 9_014 }).Add(s => new Streamer(s));

    private static void AssertNothingLeft<T>(TestCube cube, Func<T, StreamEndpoint<Letter>> endpointOf)
        where T : class, ICamCubeService
    {
        cube.Lose = null;
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Empty(cube.Faults);
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            StreamEndpoint<Letter> endpoint = endpointOf(cube[rank].Service<T>());
            Assert.Equal((0, 0L, 0L), (endpoint.Streams, endpoint.SendBytes, endpoint.ReceiveBytes));
        }

        cube.AssertQuiet();
    }

    /// <summary>Gives streams back where it is told to, and opens others where it should not.</summary>
    [CamCubeService(0x0779, "careless", Header = typeof(Letter))]
    private sealed class Careless : CamCubeService, IStreamHandler
    {
        private readonly Dictionary<ReliableStream, int> _toWrite = [];

        public Careless(IServer server) => Endpoint = new StreamEndpoint<Letter>(server, new StreamOptions(), this);

        public StreamEndpoint<Letter> Endpoint { get; }

        public Place? Leaves { get; set; }

        public Coordinate? OpensInStop { get; set; }

        public StreamOpen OpenedAfterStop { get; private set; }

        /// <summary>Streams of its own that ended.</summary>
        public int Ended { get; private set; }

        /// <summary>Streams that it gave back where it was told to.</summary>
        public int Left { get; private set; }

        public void Write(Coordinate to, int length)
        {
            Assert.Equal(StreamOpen.Ok, Endpoint.TryOpen(to, default, out ReliableStream? stream));
            _toWrite[stream!] = length;
            OnWritable(stream!);
        }

        public override void OnStart() => Endpoint.Start();

        public override void OnStop(StopReason reason)
        {
            if (OpensInStop is { } to)
            {
                Endpoint.TryOpen(to, default, out ReliableStream? before);
                before?.Write(new byte[1_000]);
                Endpoint.Stop();
                OpenedAfterStop = Endpoint.TryOpen(to, default, out _);
                before?.Dispose();
                return;
            }

            Endpoint.Stop();
        }

        public override Verdict OnPacket(in HopContext hop, Packet packet) => Endpoint.OnPacket(hop, packet);

        public override void OnTopologyChanged(in TopologyChange change) => Endpoint.OnTopologyChanged(change);

        public bool OnIncoming(ReliableStream stream)
        {
            if (Leaves is Place.Incoming or Place.IncomingAndRefuses)
            {
                Leave(stream);
                return Leaves == Place.Incoming;
            }

            if (Leaves == Place.Writable)
            {
                // So much that there is no room for all at once.
                while (stream.Write(new byte[10_000]) > 0) { }
            }
            else
            {
                stream.Complete();
            }

            return true;
        }

        public void OnReadable(ReliableStream stream)
        {
            if (Leaves == Place.Readable)
            {
                Leave(stream);
                return;
            }

            while (stream.Peek() is { IsEmpty: false } bytes)
            {
                stream.Consume(bytes.Length);
            }
        }

        public void OnWritable(ReliableStream stream)
        {
            if (Leaves == Place.Writable && !_toWrite.ContainsKey(stream))
            {
                Leave(stream);
                return;
            }

            while (_toWrite.TryGetValue(stream, out int left))
            {
                int written = stream.Write(new byte[Math.Min(left, 5_000)]);
                _toWrite[stream] = left - written;
                if (left == written)
                {
                    stream.Complete();
                }

                if (written == 0)
                {
                    return;
                }
            }
        }

        public void OnEnded(ReliableStream stream)
        {
            if (_toWrite.Remove(stream))
            {
                Ended++;
            }

            if (Leaves == Place.Ended)
            {
                Left++;
            }

            stream.Dispose();
        }

        private void Leave(ReliableStream stream)
        {
            stream.Dispose();
            Left++;
        }
    }
}
