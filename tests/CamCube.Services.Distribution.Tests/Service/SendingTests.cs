using static CamCube.Services.Distribution.DistributionStage;

namespace CamCube.Services.Distribution.Tests.Service;

/// <summary>Files that reach all who are to have them, and nobody else.</summary>
public sealed class SendingTests
{
    private const int Piece = 8 << 10;

    [Fact]
    public void A_file_reaches_all_servers_along_six_trees()
    {
        // Room for what a disk does not take at once: nothing is given up.
        using var cube = new DistributionCube(3, 3, 3, new DistributionOptions { PieceBytes = Piece, Window = 32 });
        byte[] bytes = DistributionCube.Bytes(1, 1_000_000);
        cube.Put(13, "image.raw", bytes);
        DistributionState state = cube.Await(13, cube.Begin(13, "image.raw"));
        Assert.Equal((Done, null, 6, 1_000_000), (state.Stage, state.Words, state.Trees, state.Bytes));
        Assert.Equal(27, state.Members.Count);
        Assert.All(state.Members, static m => Assert.Equal((MemberStage.Done, 1_000_000), (m.Stage, m.Bytes)));
        for (int rank = 0; rank < 27; rank++)
        {
            Assert.Equal(bytes, cube.Read(rank, "image.raw"));
        }

        // Each server has each piece once.
        Assert.Equal(
            26 * ((1_000_000 / Piece) + 1),
            Enumerable.Range(0, 27).Sum(rank => cube[rank].Terms.Counters.Pulled.Value)
        );
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(Piece - 1)]
    [InlineData(Piece)]
    [InlineData(Piece + 1)]
    [InlineData(6 * Piece)]
    [InlineData((6 * Piece) + 1)]
    public void Files_of_all_lengths_are_the_same_everywhere(int length)
    {
        using var cube = new DistributionCube(3, 3, 2);
        byte[] bytes = DistributionCube.Bytes(length, length);
        cube.Put(0, "f", bytes);
        Assert.Equal(Done, cube.Await(0, cube.Begin(0, "f")).Stage);
        for (int rank = 0; rank < 18; rank++)
        {
            Assert.Equal(bytes, cube.Read(rank, "f"));
        }

        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(6)]
    [InlineData(13)]
    public void Only_members_have_it_whoever_passes_it_on(int members)
    {
        using var cube = new DistributionCube(3, 3, 3);
        byte[] bytes = DistributionCube.Bytes(members, 700_000);
        cube.Put(0, "f", bytes);
        int[] to = [.. Enumerable.Range(0, members).Select(i => 26 - (2 * i))];
        DistributionState state = cube.Await(0, cube.Begin(0, "f", to));
        Assert.Equal((Done, members), (state.Stage, state.Members.Count));
        for (int rank = 1; rank < 27; rank++)
        {
            Assert.Equal(to.Contains(rank) ? bytes : null, cube.Read(rank, "f"));
        }

        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(1, 1, 1, 0)]
    [InlineData(2, 1, 1, 2)]
    [InlineData(6, 1, 1, 2)]
    [InlineData(4, 3, 1, 4)]
    public void Flat_cubes_rings_and_one_server_have_fewer_trees(int x, int y, int z, int trees)
    {
        using var cube = new DistributionCube(x, y, z);
        byte[] bytes = DistributionCube.Bytes(1, 300_000);
        cube.Put(0, "f", bytes);
        DistributionState state = cube.Await(0, cube.Begin(0, "f"));
        Assert.Equal((Done, trees), (state.Stage, state.Trees));
        Assert.All(Enumerable.Range(0, x * y * z), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_crowd_of_sources_at_once_fills_no_servers_memory_and_all_have_all()
    {
        using var cube = new DistributionCube(
            3,
            3,
            1,
            new DistributionOptions
            {
                PieceBytes = 64 << 10,
                Buffers = 1L << 24,
                Window = 8,
            }
        );
        for (int rank = 0; rank < 9; rank++)
        {
            cube.Put(rank, $"f{rank}", DistributionCube.Bytes(rank, 1_500_000));
        }

        ulong[] jobs = [.. Enumerable.Range(0, 9).Select(rank => cube.Begin(rank, $"f{rank}"))];
        long most = 0;
        cube.Cube.AwaitUntil(() =>
        {
            most = Math.Max(most, Enumerable.Range(0, 9).Max(r => cube[r].Terms.Windows.Bytes));
            return Enumerable.Range(0, 9).All(r => cube.State(r, jobs[r]).Stage == Done);
        });
        Assert.InRange(most, 1 << 22, 1 << 23);
        for (int rank = 0; rank < 9; rank++)
        {
            for (int file = 0; file < 9; file++)
            {
                Assert.Equal(DistributionCube.Bytes(file, 1_500_000), cube.Read(rank, $"f{file}"));
            }
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void A_name_that_is_taken_is_kept_or_replaced_as_asked()
    {
        using var cube = new DistributionCube(3, 1, 1);
        byte[] bytes = DistributionCube.Bytes(1, 100_000);
        cube.Put(0, "f", bytes);
        cube.Put(2, "f", [1, 2, 3]);
        DistributionState kept = cube.Await(0, cube.Begin(0, "f"));
        Assert.Equal(Incomplete, kept.Stage);
        Assert.Equal(
            [MemberStage.Done, MemberStage.Done, MemberStage.Failed],
            kept.Members.Select(static m => m.Stage)
        );
        Assert.Equal("it has another file of this name", kept.Members[2].Words);
        Assert.Equal([1, 2, 3], cube.Read(2, "f"));
        Assert.Equal(bytes, cube.Read(1, "f"));
        long pulled = cube[1].Terms.Counters.Pulled.Value;
        DistributionAnswer again = cube.Send(0, new DistributionRequest("f") { Replaces = true });
        Assert.Equal(Done, cube.Await(0, again.Job).Stage);
        Assert.Equal(bytes, cube.Read(2, "f"));

        // Who had it is not sent it again.
        Assert.Equal(pulled, cube[1].Terms.Counters.Pulled.Value);
        Assert.Equal(Done, cube.Await(0, cube.Begin(0, "f")).Stage);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_job_that_is_cancelled_leaves_whole_files_and_no_parts()
    {
        using var cube = new DistributionCube(3, 3, 1);
        byte[] bytes = DistributionCube.Bytes(1, 20_000_000);
        cube.Put(0, "f", bytes);
        ulong job = cube.Begin(0, "f");
        cube.Cube.AwaitUntil(() => cube[8].Terms.Counters.Pulled.Value > 100);
        Assert.True(cube.Run(0, (service, _) => service.CancelAsync(job)));
        Assert.False(cube.Run(0, (service, _) => service.CancelAsync(job)));
        Assert.Equal(Cancelled, cube.Await(0, job).Stage);
        cube.AssertQuiet();
        Assert.All(Enumerable.Range(1, 8), rank => Assert.Null(cube.Read(rank, "f")));
    }

    [Fact]
    public void What_cannot_be_sent_is_refused_in_words()
    {
        var options = new DistributionOptions
        {
            PieceBytes = 4 << 10,
            MostPieces = 10,
            Jobs = 1,
        };
        using var cube = new DistributionCube(3, 1, 1, options);
        cube.Put(0, "f", DistributionCube.Bytes(1, 40_960));
        cube.Put(0, "g", DistributionCube.Bytes(1, 40_961));
        DistributionAnswer Send(string file, string? name = null, params Coordinate[] to) =>
            cube.Send(0, new DistributionRequest(file) { As = name, To = to });
        Assert.Equal(DistributionStatus.NotFound, Send("nothing").Status);
        Assert.Equal(DistributionStatus.TooLarge, Send("g").Status);
        Assert.Equal(DistributionStatus.BadMember, Send("f", null, new Coordinate(3, 0, 0)).Status);
        Assert.Equal(DistributionStatus.BadMember, Send("f", null, new(1, 0, 0), new(1, 0, 0)).Status);
        foreach (
            string name in (string[])["", ".", "..", "a/b", "../f", ".f", "a\0b", "ä", "x.part", new string('x', 256)]
        )
        {
            Assert.Equal(DistributionStatus.BadName, Send(name).Status);
            Assert.Equal(DistributionStatus.BadName, Send("f", name).Status);
        }

        DistributionAnswer started = Send("f", "as");
        Assert.Equal(DistributionStatus.Started, started.Status);
        Assert.Equal(DistributionStatus.Busy, Send("f").Status);
        Assert.Equal(Done, cube.Await(0, started.Job).Stage);
        Assert.Equal(cube.Read(0, "f"), cube.Read(1, "as"));
        cube.AssertQuiet();
    }
}
