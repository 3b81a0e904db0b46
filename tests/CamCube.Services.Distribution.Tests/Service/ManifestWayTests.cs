using CamCube.Services.Distribution.Jobs;
using CamCube.Services.Distribution.Wire;
using CamCube.Simulator.Settings;
using static CamCube.Services.Distribution.DistributionStage;

namespace CamCube.Services.Distribution.Tests.Service;

/// <summary>Manifests on their way: from server to server, and only such as the source has made.</summary>
public sealed class ManifestWayTests
{
    private const int Length = 8_000_000;

    // Manifests of 8 KB, which take 6 ms for each hop: time enough to break in.
    private static readonly DistributionOptions Options = new()
    {
        PieceBytes = 4 << 10,
        BlockBytes = 4 << 10,
        LostTime = TimeSpan.FromMinutes(5),
        KeepTime = TimeSpan.FromMinutes(2),
    };

    [Theory]
    [InlineData(4, 4, 4)]
    [InlineData(3, 4, 5)]
    [InlineData(9, 1, 1)]
    public void Each_server_gives_it_to_its_neighbours_at_most_and_each_gets_it_once(int x, int y, int z)
    {
        using var cube = new DistributionCube(x, y, z);
        byte[] bytes = DistributionCube.Bytes(1, 500_000);
        cube.Put(0, "f", bytes);
        Assert.Equal(Done, cube.Await(0, cube.Begin(0, "f")).Stage);
        int count = cube.Cube.Shape.Count;
        Assert.All(Enumerable.Range(0, count), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        long[] given = [.. Enumerable.Range(0, count).Select(rank => Given(cube, rank))];
        Assert.Equal(count - 1, given.Sum());
        Assert.InRange(given.Max(), 1, 6);
        cube.AssertQuiet();
    }

    [Fact]
    public void Where_members_are_few_they_get_it_too()
    {
        using var cube = new DistributionCube(4, 4, 4);
        byte[] bytes = DistributionCube.Bytes(1, 500_000);
        cube.Put(0, "f", bytes);
        int[] members = [21, 42, 63];
        Assert.Equal(Done, cube.Await(0, cube.Begin(0, "f", members)).Stage);
        Assert.All(members, rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_relay_that_is_killed_while_it_passes_it_on_costs_time_only()
    {
        using DistributionCube cube = Slow(9, 1, 1);
        byte[] bytes = Put(cube);
        ulong job = cube.Begin(0, "f");
        cube.Cube.AwaitUntil(() => cube[2].Known == 1 && cube[3].Known == 0, "It is on its way from 2 to 3");
        cube.Cube.Kill(cube.Cube.Shape.At(2));
        cube.Cube.AwaitUntil(() => cube.State(0, job).Members.Count(static m => m.Stage == MemberStage.Done) == 8);
        cube.Cube.Revive(cube.Cube.Shape.At(2));
        Assert.Equal(Done, cube.Await(0, job).Stage);
        Assert.All(Enumerable.Range(0, 9), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_job_that_is_cancelled_while_it_is_passed_on_begins_nowhere(bool isCrowd)
    {
        using DistributionCube cube = Slow(9, 1, 1);
        Put(cube);
        ulong job = cube.Begin(0, "f"),
            other = 0;
        if (isCrowd)
        {
            cube.Put(4, "g", DistributionCube.Bytes(2, 300_000));
            other = cube.Begin(4, "g");
        }

        cube.Cube.AwaitUntil(() => cube[2].Known > 0 && cube[0].StateOf(job)!.Stage == Running);
        cube.Cube.AwaitUntil(() => cube[3].Unsettled > 0, "It is on its way to 3");
        Assert.True(cube.Run(0, (service, _) => service.CancelAsync(job)));
        if (isCrowd)
        {
            Assert.Equal(Done, cube.Await(4, other).Stage);
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(3));
        Assert.All(Enumerable.Range(1, 8), rank => Assert.Equal(isCrowd ? ["g"] : [], cube.Names(rank)));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_source_that_is_started_again_while_it_is_passed_on_goes_on()
    {
        using DistributionCube cube = Slow(9, 1, 1);
        byte[] bytes = Put(cube);
        ulong job = cube.Begin(0, "f");
        cube.Cube.AwaitUntil(() => cube[2].Known == 1 && cube[4].Known == 0);
        cube.Cube.Kill(cube.Cube.Shape.At(0));

        // Who knows it tells the others meanwhile.
        cube.Cube.Advance(TimeSpan.FromSeconds(20));
        Assert.All(Enumerable.Range(1, 8), rank => Assert.Equal(1, cube[rank].Known));
        cube.Cube.Revive(cube.Cube.Shape.At(0));
        cube.Cube.AwaitUntil(() => cube[0].StateOf(job) is not null);
        Assert.Equal(Done, cube.Await(0, job).Stage);
        Assert.All(Enumerable.Range(0, 9), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        cube.AssertQuiet();
    }

    [Fact]
    public void Who_forges_it_is_named_by_those_it_gave_it_to_and_nobody_is_misled()
    {
        using var cube = new DistributionCube(4, 4, 4);
        byte[] bytes = DistributionCube.Bytes(3, 500_000);
        cube.Put(0, "f", bytes);
        int[] forgers = [1, 4, 16];
        Array.ForEach(forgers, rank => cube[rank].Mistake = DistributionMistake.ForgesManifests);
        DistributionState state = cube.Await(0, cube.Begin(0, "f"));
        Assert.Equal(Done, state.Stage);
        Assert.All(Enumerable.Range(0, 64), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        string[] named =
        [
            .. forgers.Select(rank => $"a wrong manifest came from {cube.Cube.Shape.At(rank)}; another was asked"),
        ];
        string[] words = [.. state.Members.Select(static m => m.Words).OfType<string>()];
        Assert.NotEmpty(words);
        Assert.All(words, w => Assert.Contains(w, named));
        Assert.True(Enumerable.Range(0, 64).Sum(rank => cube[rank].Terms.Counters.WrongManifests.Value) > 0);
        cube.AssertQuiet();
    }

    // Who is no member is told by the source when the job begins, and else asks who pulls from it.
    [Fact]
    public void Who_was_away_and_asks_a_forger_for_it_asks_the_source_then()
    {
        using DistributionCube cube = Slow(3, 1, 1);
        byte[] bytes = Put(cube);
        (Coordinate forger, Coordinate away) = (cube.Cube.Shape.At(1), cube.Cube.Shape.At(2));
        cube.Cube.Kill(away);
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        ulong job = cube.Begin(0, "f", [1]);
        cube.Cube.AwaitUntil(() => cube[1].Known == 1);
        cube.Cube.Kill(forger);
        cube.Cube.Revive(away);
        cube.Cube.AwaitUntil(() => cube[0].StateOf(job)!.Members[0].Stage == MemberStage.Lost);
        cube.Cube.Revive(forger);
        cube[1].Mistake = DistributionMistake.ForgesManifests;
        Assert.Equal(Done, cube.Await(0, job).Stage);
        Assert.Equal(bytes, cube.Read(1, "f"));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_late_joiner_that_was_told_a_forged_one_has_the_right_one_once_the_source_is_back()
    {
        using var cube = new DistributionCube(3, 3, 1, Options);
        byte[] bytes = DistributionCube.Bytes(1, 300_000);
        cube.Put(0, "f", bytes);
        cube.Cube.Kill(cube.Cube.Shape.At(8));
        ulong job = cube.Begin(0, "f");
        cube.Cube.AwaitUntil(() => cube.State(0, job).Members.Count(static m => m.Stage == MemberStage.Done) == 8);
        for (int rank = 1; rank < 8; rank++)
        {
            cube[rank].Mistake = DistributionMistake.ForgesManifests;
        }

        cube.Cube.Kill(cube.Cube.Shape.At(0));
        cube.Cube.Revive(cube.Cube.Shape.At(8));
        cube.Cube.AwaitUntil(() => cube[8].Known == 1, "It is told");
        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        Assert.Null(cube.Read(8, "f"));
        cube.Cube.Revive(cube.Cube.Shape.At(0));
        cube.Cube.AwaitUntil(() => cube[0].StateOf(job) is not null);
        Assert.Equal(Done, cube.Await(0, job).Stage);
        Assert.All(Enumerable.Range(0, 9), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_job_that_its_source_does_not_know_is_not_begun_whoever_tells_of_it()
    {
        using var cube = new DistributionCube(3, 3, 1, Options);
        byte[] bytes = DistributionCube.Bytes(1, 300_000);
        cube.Put(0, "f", bytes);
        ulong job = cube.Begin(0, "f", 4, 8);
        var invented = new Manifest
        {
            JobNumber = 77,
            Source = cube.Cube.Shape.At(0),
            Name = "g",
            Replaces = false,
            Length = 1,
            PieceBytes = Options.PieceBytes,
            BlockBytes = Options.BlockBytes,
            Hash = new byte[Manifest.HashLength],
            Members = [],
            Sums = [1],
        };
        var line = (IMemberLine)cube[3];
        line.Know(new Job(cube[3].Terms, invented, ManifestFormat.Write(invented)));
        for (int i = 0; i < 100; i++)
        {
            cube.Run(3, (_, _) => line.AskAsync(77, DistributionKind.Tell, default, cube.Cube.Shape.At(i % 9)));
            Assert.All(Enumerable.Range(0, 9).Where(static r => r != 3), rank => Assert.True(cube[rank].Known <= 1));
        }

        Assert.Equal(Done, cube.Await(0, job).Stage);
        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        Assert.All(Enumerable.Range(0, 9).Where(static r => r != 3), rank => Assert.Equal(0, cube[rank].Known));
        Assert.All([4, 8], rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        cube.Cube.Advance(Options.KeepTime);
        cube.AssertQuiet();
    }

    [Fact]
    public void Notices_that_are_none_and_fetches_of_nothing_are_counted_or_answered_and_keep_nothing()
    {
        using var cube = new DistributionCube(3, 3, 1, Options);
        byte[] bytes = Put(cube, 300_000);
        ulong job = cube.Begin(0, "f");
        var random = new Random(1);
        for (int i = 0; i < 2_000; i++)
        {
            byte[] content = new byte[i % 4 == 0 ? JobNotice.Length : random.Next(2 * JobNotice.Length)];
            random.NextBytes(content.AsSpan(0, Math.Min(content.Length, i % 8 == 0 ? 32 : content.Length)));
            var line = (IMemberLine)cube[3];
            var kind = i % 5 == 0 ? DistributionKind.Digest : DistributionKind.Begin;
            ulong number = i % 3 == 0 ? job : (ulong)random.NextInt64();
            _ = cube.Start(3, (_, _) => line.AskAsync(number, kind, content, cube.Cube.Shape.At(8)));
        }

        Assert.Equal(Done, cube.Await(0, job).Stage);
        Assert.All(Enumerable.Range(0, 9), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        cube.Cube.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(0, cube[8].Unsettled);
        cube.AssertQuiet();
    }

    private static DistributionCube Slow(int x, int y, int z) =>
        new(x, y, z, Options, new SimulatorOptions { LinkBitsPerSecond = 10_000_000 });

    private static byte[] Put(DistributionCube cube, int length = Length)
    {
        byte[] bytes = DistributionCube.Bytes(1, length);
        cube.Put(0, "f", bytes);
        return bytes;
    }

    private static long Given(DistributionCube cube, int rank) => cube[rank].Terms.Counters.Manifests.Value;
}
