namespace CamCube.Services.Cache.Tests.Cubes;

public sealed class ChurnTests(ITestOutputHelper output)
{
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(1);

    [Fact]
    public void Each_server_of_a_small_cube_is_killed_and_returns_under_load()
    {
        using var cube = new CacheCube(3, 3, 3);
        ChurnLoad load = new(cube, clients: 6, keys: 60, seed: 1);
        for (int rank = 0; rank < 27; rank++)
        {
            Coordinate victim = cube.Cube.Shape.At(rank);
            cube.Cube.Kill(victim);
            load.Run(TimeSpan.FromMilliseconds(450), Step);
            cube.Cube.Revive(victim);
            load.Run(TimeSpan.FromMilliseconds(rank % 3 == 0 ? 60 : 300), Step);
        }

        load.End(output);
        Assert.Equal(0, load.Errors);
        cube.AssertQuiet();
    }

    [Fact]
    public void Random_servers_of_a_large_cube_die_and_return_under_load()
    {
        using var cube = new CacheCube(8, 8, 8);
        ChurnLoad load = new(cube, clients: 40, keys: 400, seed: 2);
        var random = new Random(3);
        var dead = new List<Coordinate>();
        for (int i = 0; i < 40; i++)
        {
            if (dead.Count < 20 && (dead.Count == 0 || random.Next(3) > 0))
            {
                Coordinate victim = cube.Cube.Shape.At(random.Next(512));
                if (!dead.Contains(victim))
                {
                    cube.Cube.Kill(victim);
                    dead.Add(victim);
                }
            }
            else
            {
                int j = random.Next(dead.Count);
                cube.Cube.Revive(dead[j]);
                dead.RemoveAt(j);
            }

            load.Run(TimeSpan.FromMilliseconds(50), Step);
        }

        load.End(output);
        Assert.Equal(0, load.Errors);
        cube.AssertQuiet(withAnswers: false);
    }

    [Theory]
    [InlineData(4)]
    [InlineData(5)]
    public void Servers_are_killed_and_cut_off_in_any_order_while_packets_are_lost(int seed)
    {
        using var cube = new CacheCube(3, 3, 3);
        var random = new Random(seed);
        ChurnLoad load = new(cube, clients: 8, keys: 30, seed) { MayBeCutOff = true };
        cube.Cube.Lose = (_, _, p) => p.Service.Value == 0x0110 && random.NextDouble() < 0.01;
        var away = new List<(Coordinate Server, bool IsCut)>();
        for (int i = 0; i < 60; i++)
        {
            if (away.Count < 4 && random.Next(2) == 0)
            {
                Coordinate victim = cube.Cube.Shape.At(random.Next(27));
                bool isCut = random.Next(2) == 0;
                if (away.TrueForAll(a => a.Server != victim))
                {
                    Action<Coordinate> act = isCut ? cube.Cube.CutOff : cube.Cube.Kill;
                    act(victim);
                    away.Add((victim, isCut));
                }
            }
            else if (away.Count > 0)
            {
                (Coordinate server, bool isCut) = away[random.Next(away.Count)];
                if (isCut)
                {
                    cube.Cube.MendAll(server);
                }
                else
                {
                    cube.Cube.Revive(server);
                }

                away.RemoveAll(a => a.Server == server);

                // Mending one server's cables must not mend those of another that is still cut off.
                away.FindAll(a => a.IsCut).ForEach(a => cube.Cube.CutOff(a.Server));
            }

            load.Run(TimeSpan.FromMilliseconds(random.Next(20, 600)), Step);
        }

        load.End(output);
        cube.AssertQuiet();
    }

    [Fact]
    public void Equal_runs_have_equal_traces()
    {
        Assert.Equal(Trace(), Trace());

        static ulong Trace()
        {
            using var cube = new CacheCube(3, 3, 3);
            var random = new Random(9);
            ChurnLoad load = new(cube, clients: 5, keys: 30, seed: 9);
            cube.Cube.Lose = (_, _, p) => p.Service.Value == 0x0110 && random.NextDouble() < 0.02;
            cube.Cube.Kill(new Coordinate(1, 1, 1));
            load.Run(TimeSpan.FromMilliseconds(400), Step);
            cube.Cube.Await(cube[3].FlushAllAsync(1));
            cube.Cube.Revive(new Coordinate(1, 1, 1));
            load.Run(TimeSpan.FromMilliseconds(800), Step);
            cube.Cube.Await(cube[4].GetStatisticsAsync(true));
            return cube.Cube.Cube.TraceHash;
        }
    }
}
