using CamCube.Trees;
using static CamCube.Services.Distribution.DistributionStage;

namespace CamCube.Services.Distribution.Tests.Service;

/// <summary>Files with parity: any trees but one, or two, bring them.</summary>
public sealed class CodeTests
{
    private const int Piece = 8 << 10;

    [Theory]
    [InlineData(3, 3, 3, 1)]
    [InlineData(3, 3, 3, 2)]
    [InlineData(3, 3, 1, 1)]
    [InlineData(3, 3, 1, 2)]
    public void A_coded_file_of_any_length_is_everywhere_and_nothing_is_left(int x, int y, int z, int code)
    {
        using var cube = new DistributionCube(x, y, z);
        int servers = cube.Cube.Shape.Count;
        int[] lengths = [0, 1, Piece, Piece + 1, 4 * Piece, 5 * Piece, (5 * Piece) + 17, 777_777];
        foreach (int length in lengths)
        {
            byte[] bytes = DistributionCube.Bytes(length, length);

            // Whole pieces, and a whole group, of zeros.
            bytes.AsSpan(Math.Min(length, 6 * Piece), Math.Clamp(length - (6 * Piece), 0, 12 * Piece)).Clear();
            cube.Put(0, $"f{length}", bytes);
            ulong job = cube.BeginCoded(0, $"f{length}", code);
            Assert.Equal(Done, cube.Await(0, job).Stage);
            Assert.All(Enumerable.Range(0, servers), rank => Assert.Equal(bytes, cube.Read(rank, $"f{length}")));
        }

        Assert.Equal(0, Enumerable.Range(0, servers).Sum(r => cube[r].Terms.Counters.Malformed.Value));
        cube.AssertQuiet();
    }

    [Fact]
    public void Who_forges_parity_is_named_and_what_it_gave_is_not_used()
    {
        using var cube = new DistributionCube(3, 3, 3);
        byte[] bytes = DistributionCube.Bytes(1, 3_000_000);
        cube.Put(13, "f", bytes);
        cube[4].Mistake = DistributionMistake.Forges;
        DistributionState state = cube.Await(13, cube.BeginCoded(13, "f", 2));
        Assert.Equal(Done, state.Stage);
        Assert.All(Enumerable.Range(0, 27), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        string[] words = [.. state.Members.Select(static m => m.Words).OfType<string>()];
        Assert.NotEmpty(words);
        Assert.All(words, static w => Assert.Equal("wrong pieces came from 1,1,0; they were pulled again", w));
        cube.AssertQuiet();
    }

    // With what nobody looks at: that it is wrong is found by the SHA-256 alone, and nobody else is named.
    [Fact]
    public void A_server_that_makes_wrong_pieces_of_others_pulls_them_from_the_source()
    {
        using var cube = new DistributionCube(3, 3, 1);
        byte[] bytes = DistributionCube.Bytes(1, 300_000);
        cube.Put(0, "f", bytes);
        var plan = TreePlan.Create(cube.Cube.Shape, cube.Cube.Shape.At(0), TreeKind.Six);
        Coordinate member = cube.Cube.Shape.At(4);
        cube.Cube.Cut(member, plan.ParentLink(0, member));
        cube.Cube.AwaitConverged();
        cube[4].Mistake = DistributionMistake.Miscodes;
        DistributionState state = cube.Await(0, cube.BeginCoded(0, "f", 1));
        Assert.Equal(Done, state.Stage);
        Assert.Equal(
            "pieces with right sums were wrong, and were pulled again from the source",
            state.Members[4].Words
        );
        Assert.Equal(bytes, cube.Read(4, "f"));
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Members_and_sources_of_coded_files_that_are_started_again_and_cables_that_are_cut_cost_time_only(
        int code
    )
    {
        var options = new DistributionOptions
        {
            PieceBytes = Piece,
            LostTime = TimeSpan.FromSeconds(8),
            KeepTime = TimeSpan.FromSeconds(20),
        };
        using var cube = new DistributionCube(3, 3, 3, options);
        byte[][] bytes = [.. Enumerable.Range(0, 3).Select(i => DistributionCube.Bytes(i, 2_000_000))];
        int[] sources = [0, 13, 26];
        for (int i = 0; i < sources.Length; i++)
        {
            cube.Put(sources[i], $"f{i}", bytes[i]);
        }

        ulong[] jobs = [.. sources.Select((source, i) => cube.BeginCoded(source, $"f{i}", code))];
        cube.Cube.AwaitUntil(() => cube[8].Terms.Counters.Pulled.Value > 300);
        cube.Cube.Cut(cube.Cube.Shape.At(13), Link.XPlus);
        cube.Cube.Kill(cube.Cube.Shape.At(4));
        cube.Cube.Kill(cube.Cube.Shape.At(26));
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        cube.Cube.Mend(cube.Cube.Shape.At(13), Link.XPlus);
        cube.Cube.Revive(cube.Cube.Shape.At(4));
        cube.Cube.Revive(cube.Cube.Shape.At(26));
        cube.Cube.AwaitUntil(() => cube[26].StateOf(jobs[2]) is not null);
        for (int i = 0; i < sources.Length; i++)
        {
            Assert.Equal(Done, cube.Await(sources[i], jobs[i]).Stage);
            Assert.All(Enumerable.Range(0, 27), rank => Assert.Equal(bytes[i], cube.Read(rank, $"f{i}")));
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void Members_of_a_coded_file_whose_source_is_lost_complete_from_each_other()
    {
        using var cube = new DistributionCube(
            3,
            3,
            3,
            new DistributionOptions { PieceBytes = Piece, KeepTime = TimeSpan.FromSeconds(60) }
        );
        byte[] bytes = DistributionCube.Bytes(1, 2_000_000);
        cube.Put(13, "f", bytes);
        cube.Cube.Cut(cube.Cube.Shape.At(0), Link.XPlus);
        cube.Cube.Cut(cube.Cube.Shape.At(0), Link.XMinus);
        cube.Cube.AwaitConverged();
        cube.BeginCoded(13, "f", 1);
        cube.Cube.AwaitUntil(() => cube[26].Terms.Counters.Received.Value > 0);
        cube.Cube.Kill(cube.Cube.Shape.At(13));
        cube.Cube.Advance(TimeSpan.FromSeconds(20));
        int[] living = [.. Enumerable.Range(0, 27).Where(static rank => rank != 13)];
        Assert.All(living, rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        cube.Cube.Advance(TimeSpan.FromSeconds(70));
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(
        6,
        1,
        1,
        1,
        DistributionTrees.Six,
        "parity needs three trees or more, and 6x1x1 has 2; the code must be 0, and not 1"
    )]
    [InlineData(3, 3, 1, 3, DistributionTrees.Six, "4 trees of 3x3x1 can have 0 to 2 of parity, and not 3")]
    [InlineData(3, 3, 1, -1, DistributionTrees.Six, "4 trees of 3x3x1 can have 0 to 2 of parity, and not -1")]
    [InlineData(
        3,
        3,
        1,
        1,
        DistributionTrees.One,
        "parity needs three trees or more, and this is one; the code must be 0, and not 1"
    )]
    public void Codes_that_trees_cannot_have_are_refused_in_words(
        int x,
        int y,
        int z,
        int code,
        DistributionTrees trees,
        string words
    )
    {
        using var cube = new DistributionCube(x, y, z);
        cube.Put(0, "f", [1]);
        DistributionAnswer answer = cube.Send(0, new DistributionRequest("f") { Code = code, Trees = trees });
        Assert.Equal(new DistributionAnswer(DistributionStatus.BadTerms, 0, words), answer);
        Assert.Equal(["f"], cube.Names(0));
        cube.AssertQuiet();
    }
}
