using CamCube.Simulator.Settings;
using static CamCube.Services.Distribution.DistributionStage;

namespace CamCube.Services.Distribution.Tests.Service;

/// <summary>On which terms a file travels: weights, limits, trees, and what need not travel.</summary>
public sealed class TermsTests
{
    [Fact]
    public void Pieces_of_zeros_are_not_sent_and_are_there()
    {
        const int Piece = 8 << 10;
        using var cube = new DistributionCube(3, 3, 1);
        byte[] bytes = new byte[100 * Piece];

        // Of the first tree's stripe there are zeros only, and of the last pieces.
        for (int piece = 0; piece < 90; piece++)
        {
            bytes[(piece * Piece) + 17] = (byte)(piece % 4 == 0 ? 0 : 1);
        }

        cube.Put(0, "f", bytes);
        Assert.Equal(Done, cube.Await(0, cube.Begin(0, "f")).Stage);
        Assert.All(Enumerable.Range(0, 9), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        Assert.Equal(8 * 67, Enumerable.Range(0, 9).Sum(rank => cube[rank].Terms.Counters.Pulled.Value));
        cube.Put(3, "zeros", new byte[(10 * Piece) + 1]);
        Assert.Equal(Done, cube.Await(3, cube.Begin(3, "zeros")).Stage);
        Assert.All(Enumerable.Range(0, 9), rank => Assert.Equal(new byte[(10 * Piece) + 1], cube.Read(rank, "zeros")));
        Assert.Equal(8 * 67, Enumerable.Range(0, 9).Sum(rank => cube[rank].Terms.Counters.Pulled.Value));
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(DistributionTrees.Six)]
    [InlineData(DistributionTrees.One)]
    public void A_limit_is_what_every_member_gets(DistributionTrees trees)
    {
        using var cube = new DistributionCube(3, 3, 2);
        byte[] bytes = DistributionCube.Bytes(1, 4_000_000);
        cube.Put(0, "f", bytes);
        DistributionAnswer answer = cube.Send(0, new DistributionRequest("f") { Limit = 2_000_000, Trees = trees });
        DistributionState state = cube.Await(0, answer.Job);
        Assert.Equal(Done, state.Stage);
        Assert.All(Enumerable.Range(0, 18), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        Assert.All(state.Members.Skip(1), static m => Assert.InRange(m.Elapsed.TotalSeconds, 1.9, 2.3));
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(DistributionTrees.One)]
    [InlineData(DistributionTrees.MiniCube)]
    public void One_tree_of_shortest_ways_brings_it_too(DistributionTrees trees)
    {
        using var cube = new DistributionCube(3, 3, 3);
        byte[] bytes = DistributionCube.Bytes(1, 1_000_000);
        cube.Put(13, "f", bytes);
        int[] to = [0, 2, 6, 8, 26];
        DistributionAnswer answer = cube.Send(
            13,
            new DistributionRequest("f") { Trees = trees, To = [.. to.Select(cube.Cube.Shape.At)] }
        );
        DistributionState state = cube.Await(13, answer.Job);
        Assert.Equal((Done, 1), (state.Stage, state.Trees));
        Assert.All(
            Enumerable.Range(0, 27).Where(r => r != 13),
            rank => Assert.Equal(to.Contains(rank) ? bytes : null, cube.Read(rank, "f"))
        );
        cube.AssertQuiet();
    }

    [Fact]
    public void Three_jobs_at_once_share_links_alike_and_lose_nothing()
    {
        var options = new DistributionOptions { Poll = TimeSpan.FromMilliseconds(2) };
        var simulator = new SimulatorOptions { IsTracing = false };
        (simulator.Disk.BytesPerSecond, simulator.Disk.SyncNanos) = (20_000_000_000, 1_000);
        (simulator.Disk.ReadNanos, simulator.Disk.WriteNanos) = (1_000, 1_000);
        using var cube = new DistributionCube(3, 3, 1, options, simulator);
        const int Jobs = 3,
            Length = 25_000_000;
        byte[] bytes = DistributionCube.Bytes(1, Length);
        ulong[] jobs = new ulong[Jobs];
        for (int i = 0; i < Jobs; i++)
        {
            cube.Put(0, $"f{i}", bytes);
            jobs[i] = cube.Begin(0, $"f{i}");
        }

        double Elapsed(int i) => cube.State(0, jobs[i]).Elapsed.TotalSeconds;
        cube.Cube.AwaitUntil(() => jobs.All(job => cube.State(0, job).Stage == Running));
        double began = Elapsed(0);
        Assert.All(jobs, job => Assert.Equal(Done, cube.Await(0, job).Stage));
        double[] ends = [.. Enumerable.Range(0, Jobs).Select(Elapsed)];
        Assert.True(ends.Max() < 1.02 * ends.Min(), string.Join(", ", ends));

        // Four links, of 0.98 payload.
        double share = (double)Jobs * Length * 8 / (ends.Max() - began) / 4e9;
        Assert.True(share > 0.9, $"{share:F3}");
        cube.AssertQuiet();
    }

    [Fact]
    public void Terms_that_cannot_be_are_refused_in_words()
    {
        using var cube = new DistributionCube(3, 1, 1);
        cube.Put(0, "f", [1]);
        DistributionRequest right = new("f");
        foreach (
            DistributionRequest wrong in (DistributionRequest[])
                [
                    right with
                    {
                        Weight = 0,
                    },
                    right with
                    {
                        Weight = 1_001,
                    },
                    right with
                    {
                        Weight = -1,
                    },
                    right with
                    {
                        Limit = 0,
                    },
                    right with
                    {
                        Limit = -1,
                    },
                    right with
                    {
                        Trees = (DistributionTrees)3,
                    },
                ]
        )
        {
            DistributionAnswer answer = cube.Send(0, wrong);
            Assert.Equal((DistributionStatus.BadTerms, 0UL), (answer.Status, answer.Job));
            Assert.NotEmpty(answer.Words!);
        }

        Assert.Equal(Done, cube.Await(0, cube.Begin(0, "f")).Stage);
        cube.AssertQuiet();
    }
}
