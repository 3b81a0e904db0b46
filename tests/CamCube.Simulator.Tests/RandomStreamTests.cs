using CamCube.Simulator.Settings;

namespace CamCube.Simulator.Tests;

public sealed class RandomStreamTests
{
    [Fact]
    public void A_service_draws_the_same_numbers_whoever_else_is_there()
    {
        long[] alone = Draws([0x0700], 1, 0, "a");
        Assert.Equal(alone, Draws([0x0700, 0x0701], 1, 0, "a"));
        Assert.Equal(alone, Draws([0x0600, 0x0701, 0x0700], 1, 0, "a"));
    }

    [Fact]
    public void More_servers_and_servers_that_come_and_go_do_not_change_what_others_draw()
    {
        var small = new TorusShape(3, 2, 1);
        Dictionary<Coordinate, List<long>> alone = DrawsOfAll(small, kill: null);
        Assert.Equal(6, alone.Count);
        Assert.Equal(6, alone.Values.Select(draws => draws[0]).Distinct().Count());
        foreach (TorusShape larger in (TorusShape[])[new(3, 2, 2), new(3, 3, 1), new(4, 2, 1), new(5, 4, 3)])
        {
            Dictionary<Coordinate, List<long>> among = DrawsOfAll(larger, kill: null);
            Assert.All(alone, own => Assert.Equal(own.Value, among[own.Key]));
        }

        var gone = new Coordinate(1, 0, 0);
        Dictionary<Coordinate, List<long>> without = DrawsOfAll(small, gone);
        Assert.NotEqual(alone[gone], without[gone]);
        Assert.All(alone.Where(own => own.Key != gone), own => Assert.Equal(own.Value, without[own.Key]));
    }

    [Fact]
    public void Seeds_servers_services_and_purposes_have_streams_of_their_own()
    {
        var streams = new List<long[]>
        {
            Draws([0x0700], 1, 0, "a"),
            Draws([0x0700], 2, 0, "a"),
            Draws([0x0700], 1, 1, "a"),
            Draws([0x0700], 1, 2, "a"),
            Draws([0x0700], 1, 0, "b"),
            Draws([0x0700], 1, 0, ""),
            Draws([0x0700], 1, 0, "aa"),
            Draws([0x0701, 0x0700], 1, 0, "a", 0x0701),
        };
        var all = new HashSet<long>();
        Assert.All(streams.SelectMany(s => s), n => Assert.True(all.Add(n)));
        Assert.Equal(streams[0], Draws([0x0700], 1, 0, "a"));
    }

    [Fact]
    public void Draws_stay_in_their_ranges_and_are_spread_evenly()
    {
        using var cube = new SimulatedCube(new TorusShape(1, 1, 1), [Traffic.Define()]);
        Random random = cube.ServerOf<Traffic>(0).Random.Create("ranges");
        int[] counts = new int[10];
        byte[] bytes = new byte[13];
        var seen = new HashSet<byte>();
        double sum = 0;
        for (int i = 0; i < 100_000; i++)
        {
            counts[random.Next(10)]++;
            Assert.InRange(random.Next(-5, 6), -5, 5);
            Assert.InRange(random.NextInt64(1L << 40), 0, (1L << 40) - 1);
            Assert.InRange(random.NextInt64(long.MinValue, long.MaxValue), long.MinValue, long.MaxValue - 1);
            Assert.InRange(random.Next(int.MinValue, int.MaxValue), int.MinValue, int.MaxValue - 1);
            Assert.InRange(random.NextSingle(), 0f, 0.99999999f);
            double d = random.NextDouble();
            Assert.True(d is >= 0 and < 1);
            sum += d;
            random.NextBytes(bytes);
            seen.Add(bytes[12]);
        }

        Assert.All(counts, n => Assert.InRange(n, 9_600, 10_400));
        Assert.InRange(sum, 49_500, 50_500);
        Assert.Equal(256, seen.Count);
        Assert.Equal(0, random.Next(0));
        Assert.Equal(7, random.Next(7, 7));
        Assert.Equal(7, random.Next(7, 8));
        Assert.Throws<ArgumentOutOfRangeException>(() => random.Next(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => random.Next(2, 1));
    }

    // Each server draws from a timer; one may die and come back meanwhile.
    private static Dictionary<Coordinate, List<long>> DrawsOfAll(TorusShape shape, Coordinate? kill)
    {
        var draws = new Dictionary<Coordinate, List<long>>();
        using var cube = new SimulatedCube(
            shape,
            [
                Traffic.Define(
                    made: (_, traffic) =>
                    {
                        IServer server = traffic.Server;
                        Random random = server.Random.Create("a");
                        ServerTimer timer = null!;
                        timer = server.CreateTimer(() =>
                        {
                            draws.TryAdd(server.Coordinate, []);
                            draws[server.Coordinate].Add(random.NextInt64());
                            timer.Arm(TimeSpan.FromMicroseconds(100));
                        });
                        timer.Arm(TimeSpan.FromMicroseconds(100));
                    }
                ),
            ]
        );
        cube.Advance(TimeSpan.FromMilliseconds(1));
        if (kill is { } server)
        {
            cube.Kill(shape.RankOf(server));
            cube.Revive(shape.RankOf(server));
        }

        cube.Advance(TimeSpan.FromMilliseconds(1));
        return draws;
    }

    private static long[] Draws(ushort[] services, ulong seed, int rank, string purpose, ushort of = 0x0700)
    {
        long[]? draws = null;
        using var cube = new SimulatedCube(
            new TorusShape(3, 1, 1),
            [
                .. services.Select(id =>
                    Traffic.Define(
                        id,
                        (r, t) =>
                        {
                            // The others draw too, at the same time and in between.
                            Random random = t.Server.Random.Create(r == rank && id == of ? purpose : "noise");
                            if (r == rank && id == of)
                            {
                                draws = [.. Enumerable.Range(0, 50).Select(_ => random.NextInt64())];
                            }
                            else
                            {
                                random.Next();
                                t.Server.Loop.Post(static s => ((Traffic)s!).Begin(), t);
                            }
                        }
                    )
                ),
            ],
            new SimulatorOptions { Seed = seed }
        );
        cube.Advance(TimeSpan.FromMilliseconds(1));
        return draws!;
    }
}
