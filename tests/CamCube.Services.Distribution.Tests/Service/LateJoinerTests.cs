using CamCube.Services.Distribution.Jobs;
using CamCube.Services.Distribution.Wire;

namespace CamCube.Services.Distribution.Tests.Service;

/// <summary>Members that come when the source is lost.</summary>
public sealed class LateJoinerTests
{
    private static readonly DistributionOptions Options = new()
    {
        PieceBytes = 8 << 10,
        LostTime = TimeSpan.FromMinutes(5),
        KeepTime = TimeSpan.FromMinutes(2),
    };

    [Fact]
    public void Who_was_away_gets_the_file_from_the_others_when_the_source_is_dead()
    {
        using var cube = new DistributionCube(3, 3, 1, Options);
        byte[] bytes = DistributionCube.Bytes(1, 3_000_000);
        cube.Put(0, "f", bytes);
        Kill(cube, 4, 8);
        cube.Begin(0, "f");
        cube.Cube.AwaitUntil(() => Received(cube) == 6, "The others have it");
        Kill(cube, 0);
        Revive(cube, 4, 8);
        cube.Cube.Advance(TimeSpan.FromSeconds(40));
        Assert.All(Enumerable.Range(1, 8), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        cube.Cube.Advance(2 * Options.KeepTime);
        cube.AssertQuiet();
    }

    [Fact]
    public void Who_is_started_again_gets_what_it_lacks_and_nothing_twice()
    {
        using var cube = new DistributionCube(3, 3, 1, Options);
        byte[] bytes = DistributionCube.Bytes(2, 20_000_000);
        cube.Put(0, "f", bytes);

        // Slow enough for what is there to be synced now and then.
        cube.Send(0, new DistributionRequest("f") { Limit = 4_000_000 });
        cube.Cube.AwaitUntil(() => cube[5].Terms.Counters.Pulled.Value > 1_600, "All have some");
        Kill(cube, 5);
        cube.Cube.AwaitUntil(() => Received(cube) == 7, "The others have it");
        Kill(cube, 0);
        Revive(cube, 5);
        cube.Cube.Advance(TimeSpan.FromSeconds(40));
        Assert.All(Enumerable.Range(1, 8), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        long resumed = cube[5].Terms.Counters.Resumed.Value,
            pulled = cube[5].Terms.Counters.Pulled.Value;
        Assert.InRange(resumed, 300, 2_442);
        Assert.Equal((bytes.Length + Options.PieceBytes - 1) / Options.PieceBytes, resumed + pulled);
        cube.Cube.Advance(2 * Options.KeepTime);
        cube.AssertQuiet();
    }

    [Fact]
    public void Who_is_started_again_and_again_does_not_keep_a_job_for_ever()
    {
        using var cube = new DistributionCube(3, 1, 1, Options);
        cube.Put(0, "f", DistributionCube.Bytes(3, 20_000_000));
        cube.Begin(0, "f");
        cube.Cube.AwaitUntil(() => cube[1].Terms.Counters.Pulled.Value > 100, "It has some");
        Kill(cube, 0);
        for (int round = 0; round < 8; round++)
        {
            // The one tells the other, which then is the older.
            int rank = 1 + (round % 2);
            Kill(cube, rank);
            cube.Cube.Advance(TimeSpan.FromSeconds(5));
            Revive(cube, rank);
            cube.Cube.Advance(TimeSpan.FromSeconds(10));
            Assert.Equal(1, cube[rank].Known);
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(20));
        Assert.Equal((0, 0), (cube[1].Known, cube[2].Known));
        cube.Cube.Advance(Options.KeepTime);
        cube.AssertQuiet();
    }

    [Fact]
    public void Jobs_that_there_are_not_are_told_by_the_thousand_and_a_crowd_of_real_ones_goes_on()
    {
        using var cube = new DistributionCube(3, 3, 1, Options);
        byte[][] files = [.. Enumerable.Range(0, 4).Select(i => DistributionCube.Bytes(i, 500_000 + i))];
        Kill(cube, 8);
        for (int i = 0; i < files.Length; i++)
        {
            cube.Put(0, $"f{i}", files[i]);
            cube.Begin(0, $"f{i}");
        }

        cube.Cube.AwaitUntil(() => Received(cube) == 7 * files.Length, "The others have them");
        Kill(cube, 0);
        Revive(cube, 8);
        var random = new Random(1);
        for (int i = 0; i < 2_000; i++)
        {
            byte[] content = new byte[i % 3 == 0 ? random.Next(20) : 0];
            _ = cube.Start(
                3,
                (service, _) =>
                    ((IMemberLine)service).AskAsync(
                        (ulong)random.NextInt64(),
                        DistributionKind.Tell,
                        content,
                        cube.Cube.Shape.At(8)
                    )
            );
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(60));
        Assert.True(cube[8].Known <= Options.Known, $"{cube[8].Known} jobs");
        for (int i = 0; i < files.Length; i++)
        {
            Assert.Equal(files[i], cube.Read(8, $"f{i}"));
        }

        cube.Cube.Advance(2 * Options.KeepTime);
        cube.AssertQuiet();
    }

    private static long Received(DistributionCube cube) =>
        Enumerable
            .Range(0, cube.Cube.Shape.Count)
            .Where(rank => cube.Cube[rank].IsRunning)
            .Sum(rank => cube[rank].Terms.Counters.Received.Value);

    private static void Kill(DistributionCube cube, params int[] ranks) =>
        Array.ForEach(ranks, rank => cube.Cube.Kill(cube.Cube.Shape.At(rank)));

    private static void Revive(DistributionCube cube, params int[] ranks) =>
        Array.ForEach(ranks, rank => cube.Cube.Revive(cube.Cube.Shape.At(rank)));
}
