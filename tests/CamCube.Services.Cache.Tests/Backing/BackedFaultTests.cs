using CamCube.Services.Cache.Counting;
using CamCube.Swarm.Histories;

namespace CamCube.Services.Cache.Tests.Backing;

/// <summary>A crowd of clients, a hostile one among them, on few keys of the store, while a root dies and comes back
/// and a cable is cut: nobody reads what was before an acknowledged change, and no count is lost or done
/// twice.</summary>
public sealed class BackedFaultTests
{
    private const int Clients = 16;

    [Theory]
    [InlineData("storage=memory,reads=lease")]
    [InlineData("storage=memory")]
    [InlineData("reads=lease")]
    public void Roots_die_and_cables_are_cut_under_a_crowd(string mode)
    {
        using var cube = new BackedCube(3, 3, 3, mode);
        var oracle = new CacheOracle();
        List<BackedClient> clients = Run(cube, oracle);
        Assert.Empty(oracle.Failures);
        Dictionary<CacheStatus, int> ends = [];
        foreach ((CacheStatus status, int count) in clients.SelectMany(c => c.Ends))
        {
            ends[status] = ends.GetValueOrDefault(status) + count;
        }

        string said = string.Join(", ", ends.Select(e => $"{e.Key} {e.Value}"));
        TestContext.Current.TestOutputHelper!.WriteLine(said);
        Assert.True(ends[CacheStatus.Done] > 2_000, said);
        Assert.True(oracle.Checks > 500, said);
        Assert.InRange(cube.Sum(CacheCount.CopyHits), 50, long.MaxValue);
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData("reads=lease")]
    [InlineData("storage=memory")]
    public void Every_operation_ends_when_the_store_begins_anew_in_the_middle(string mode)
    {
        using var cube = new BackedCube(3, 1, 1, mode);
        string[] keys = [.. Enumerable.Range(0, 30).Select(i => $"s:{i}")];
        Assert.All(keys, key => Assert.Equal(CacheStatus.Done, cube.Set(0, key, "1")));
        for (int micros = 0; micros < 2_000; micros += 100)
        {
            List<Task<CacheReply>> all = [];
            foreach (string key in keys)
            {
                for (int rank = 0; rank < 3; rank++)
                {
                    all.Add(cube.Start(rank, default, key).AsTask());
                    var count = new CacheTerms { Operation = CacheOperation.Increment, Delta = 1 };
                    all.Add(cube.Start(rank, count, key).AsTask());
                    var touch = new CacheTerms { Operation = CacheOperation.GetAndTouch };
                    all.Add(cube.Start(rank, touch, key).AsTask());
                }
            }

            cube.Cube.Advance(TimeSpan.FromMicroseconds(micros));
            cube.Cube.Cube.RestartService(1, new ServiceId(0x0170));
            cube.Cube.Advance(TimeSpan.FromSeconds(20));
            int left = all.Count(static t => !t.IsCompleted);
            Assert.True(left == 0, $"{left} of {all.Count} have not ended, {micros} µs after they began.");
        }

        Assert.Equal(CacheStatus.Done, cube.Set(1, keys[0], "2"));
        Assert.Equal("2", cube.Get(2, keys[0]));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_cache_that_leaves_copies_as_they_are_is_found()
    {
        using var cube = new BackedCube(3, 3, 3);
        for (int rank = 0; rank < 27; rank++)
        {
            cube[rank].LeavesCopies = true;
        }

        var oracle = new CacheOracle();
        Run(cube, oracle);
        Assert.NotEmpty(oracle.Failures);
    }

    private static List<BackedClient> Run(BackedCube cube, CacheOracle oracle)
    {
        List<BackedClient> clients =
        [
            .. Enumerable.Range(0, Clients).Select(i => new BackedClient(cube, oracle, i, isHostile: i == 3)),
        ];
        int root = cube.Cube.Shape.RankOf(cube.Cube[0].Topology.RootOf(BackedCube.MemIdOf("s:key-0")));
        int other = cube.Cube.Shape.RankOf(cube.Cube[0].Topology.RootOf(BackedCube.MemIdOf("s:key-1")));
        for (int step = 0; step < 6_000; step++)
        {
            switch (step)
            {
                case 1_000:
                    cube.Cube.Kill(cube.Cube.Shape.At(root));
                    break;
                case 2_500:
                    cube.Cube.Revive(cube.Cube.Shape.At(root));
                    break;
                case 3_500:
                    cube.Cube.CutOff(cube.Cube.Shape.At(other));
                    break;
                case 4_500:
                    cube.Cube.MendAll(cube.Cube.Shape.At(other));
                    break;
            }

            clients.ForEach(static c => c.Step(mayBegin: true));
            cube.Cube.Advance(TimeSpan.FromMicroseconds(500));
        }

        // Everything ends.
        for (int i = 0; i < 10_000 && clients.Exists(c => c.IsRunning); i++)
        {
            clients.ForEach(static c => c.Step(mayBegin: false));
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        }

        Assert.DoesNotContain(clients, static c => c.IsRunning);
        return clients;
    }
}
