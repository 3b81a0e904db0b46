using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>How fast a server fetches what it should have while clients are served.</summary>
public sealed class RecoveryPaceTests
{
    private const int Values = 48;
    private const int Length = 700_000;
    private const int Empty = 4;
    private const int Source = 3;
    private const long Rate = 2 << 20;

    [Fact]
    public void While_clients_are_served_an_empty_server_fetches_at_its_rate_and_they_go_on()
    {
        using StoreCube cube = Filled();
        Coordinate empty = cube.Cube.Shape.At(Empty);
        List<Client> clients = [.. Enumerable.Range(0, 9).Where(r => r is not (Empty or Source)).Select(Begin)];
        Client Begin(int rank) => new(cube, rank);
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        cube.Cube.Kill(empty);
        cube.Cube.Revive(empty, emptyDisk: true);
        cube.Cube.AwaitUntil(() => Recovered(cube) > 0, "Nothing comes");
        long began = cube.Cube.NowNanos;
        for (int part = 0; part < 12; part++)
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(250));
            long most = (long)((cube.Cube.NowNanos - began) / 1e9 * Rate) + (1 << 20);
            Assert.InRange(Recovered(cube), 1, most);
            if (part == 5)
            {
                // One that is asked goes: what it was asked for is asked of others, at the same rate.
                cube.Cube.Kill(cube.Cube.Shape.At(Source));
            }
        }

        Assert.InRange(Recovered(cube), (long)(1.5 * Rate), long.MaxValue);
        cube.Cube.Revive(cube.Cube.Shape.At(Source));
        long done = clients.Sum(static c => c.Done);
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.All(clients, c => Assert.InRange(c.Done, 20, int.MaxValue));
        Assert.True(clients.Sum(static c => c.Done) > done);

        // When nobody is served any more the rest comes at once.
        clients.ForEach(static c => c.Stop());
        cube.Cube.Advance(TimeSpan.FromSeconds(1.5));
        long left = cube.Cube.NowNanos;
        cube.AwaitSettled();
        Assert.InRange(cube.Cube.NowNanos - left, 0, 4_000_000_000);
        for (int number = 0; number < Values; number++)
        {
            (KeyValueAnswer answer, byte[] value) = LongValues.Read(cube, Empty, $"{number}", 0, long.MaxValue);
            Assert.Equal(Done, answer.Status);
            Assert.Equal(LongValues.Of(number, Length), value);
        }
    }

    private static StoreCube Filled()
    {
        var cube = new StoreCube(
            3,
            3,
            1,
            new KeyValueOptions { RecoveryRate = Rate, Timeout = TimeSpan.FromSeconds(2) }
        );
        cube.AwaitLed();
        List<Task<KeyValueAnswer>> all = [];
        for (int number = 0; number < Values; number++)
        {
            byte[] value = LongValues.Of(number, Length);
            all.Add(LongValues.WriteAsync(cube[number % 9], $"{number}", value).AsTask());
        }

        cube.Cube.AwaitUntil(() => all.TrueForAll(static t => t.IsCompleted), "Writers hang");
        Assert.All(all, static t => Assert.Equal(Done, t.Result.Status));
        cube.AwaitSettled();
        return cube;
    }

    private static long Recovered(StoreCube cube) => cube.Cube[Empty].IsRunning ? cube.Store(Empty).RecoveredBytes : 0;

    // Puts and reads a short value, and reads a long one, one after the other.
    private sealed class Client
    {
        private readonly StoreCube _cube;
        private readonly int _rank;
        private bool _isStopped;

        public Client(StoreCube cube, int rank)
        {
            (_cube, _rank) = (cube, rank);
            IServer server = cube.Cube.Cube.ServerOf<KeyValueService>(rank);
            server.Loop.Run(() => RunAsync(server));
        }

        public int Done { get; private set; }

        public void Stop() => _isStopped = true;

        private async ValueTask RunAsync(IServer server)
        {
            IKeyValueStore store = _cube[_rank];
            var own = KeyValueKey.Of($"client {_rank}");
            while (!_isStopped && await server.DelayAsync(TimeSpan.FromMilliseconds(20)))
            {
                KeyValueAnswer put = await store.PutAsync(own, LongValues.Of(_rank, 1_000));
                KeyValueAnswer got = await store.GetAsync(own);
                (KeyValueAnswer read, _) = await LongValues.ReadAsync(store, $"{_rank}");
                Done += put.Status == KeyValueStatus.Done && got.Status == KeyValueStatus.Done ? 1 : 0;
                Done += read.Status == KeyValueStatus.Done ? 1 : 0;
            }
        }
    }
}
