using CamCube.Simulator.Disks;
using static CamCube.Services.Distribution.DistributionStage;

namespace CamCube.Services.Distribution.Tests.Service;

/// <summary>Servers that are started again in the middle of a job, and sources that do not come back.</summary>
public sealed class ResumeTests
{
    private const int Piece = 8 << 10;
    private const int Pieces = 600;
    private static readonly DistributionOptions Slow = new()
    {
        PieceBytes = Piece,
        Window = 32,
        LostTime = TimeSpan.FromSeconds(5),
        KeepTime = TimeSpan.FromSeconds(20),
        SyncEvery = TimeSpan.FromMilliseconds(10),
    };

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_member_that_is_started_again_has_what_it_had_and_pulls_the_rest(bool isPowerLost)
    {
        using var cube = new DistributionCube(3, 3, 1, Slow);
        byte[] bytes = Put(cube, 0);
        ulong job = cube.Begin(0, "f");
        cube.Cube.AwaitUntil(() => Pulled(cube, 8) > Pieces / 2);
        long before = Pulled(cube, 8);

        // What was not synced is lost with the power.
        Coordinate member = cube.Cube.Shape.At(8);
        (isPowerLost ? (Action<Coordinate>)cube.Cube.Kill : cube.Cube.Shutdown)(member);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(500));
        cube.Cube.Revive(member);
        Assert.Equal(Done, cube.Await(0, job).Stage);
        Assert.All(Enumerable.Range(0, 9), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        long resumed = cube[8].Terms.Counters.Resumed.Value;
        Assert.InRange(resumed, before / (isPowerLost ? 4 : 2), Pieces);
        Assert.Equal(Pieces, resumed + Pulled(cube, 8));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_source_that_is_started_again_goes_on_with_its_jobs()
    {
        using var cube = new DistributionCube(3, 3, 1, Slow);
        byte[] bytes = Put(cube, 4);
        ulong job = cube.Begin(4, "f");
        cube.Cube.AwaitUntil(() => Pulled(cube, 0) > Pieces / 2);
        cube.Cube.Kill(cube.Cube.Shape.At(4));
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        cube.Cube.Revive(cube.Cube.Shape.At(4));
        cube.Cube.AwaitUntil(() => cube[4].StateOf(job) is not null);
        Assert.Equal(Done, cube.Await(4, job).Stage);
        Assert.All(Enumerable.Range(0, 9), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        Assert.True(Pulled(cube, 0) < Pieces + 50, $"{Pulled(cube, 0)}");
        Assert.DoesNotContain(cube.Names(4), static name => name.EndsWith(".source", StringComparison.Ordinal));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_source_whose_file_has_another_length_when_it_is_back_forgets_the_job_and_members_give_up()
    {
        using var cube = new DistributionCube(3, 3, 1, Slow);
        Put(cube, 4);
        ulong job = cube.Begin(4, "f");
        cube.Cube.AwaitUntil(() => Pulled(cube, 0) > Pieces / 2);
        cube.Put(4, "f", [1]);
        cube.Cube.Kill(cube.Cube.Shape.At(4));
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        cube.Cube.Revive(cube.Cube.Shape.At(4));
        cube.Cube.Advance(TimeSpan.FromSeconds(30));
        Assert.Null(cube[4].StateOf(job));
        Assert.All(Enumerable.Range(0, 9).Where(r => r != 4), rank => Assert.Null(cube.Read(rank, "f")));
        Assert.Equal(["f"], cube.Names(4));
        cube.AssertQuiet();
    }

    [Fact]
    public void When_the_source_is_lost_members_complete_from_each_other()
    {
        using var cube = new DistributionCube(3, 3, 1, Slow);
        byte[] bytes = Put(cube, 4);

        // A neighbour of the source, so that in one tree only the source is above it: what it missed others have.
        using IDisposable slow = cube.Cube.DiskFaults.Add(new DiskSlowness(TimeSpan.FromMilliseconds(2)), 3);
        ulong job = cube.Begin(4, "f");
        int[] quick = [.. Enumerable.Range(0, 9).Where(static rank => rank is not (3 or 4))];
        cube.Cube.AwaitUntil(() => quick.All(rank => cube.State(4, job).Members[rank].Stage == MemberStage.Done));
        Assert.Equal(MemberStage.Receiving, cube.State(4, job).Members[3].Stage);
        cube.Cube.Kill(cube.Cube.Shape.At(4));
        cube.Cube.AwaitUntil(() => cube.Read(3, "f") is not null);
        Assert.Equal(bytes, cube.Read(3, "f"));
        cube.Cube.Advance(TimeSpan.FromSeconds(30));
        cube.AssertQuiet();
    }

    [Fact]
    public void Where_a_job_is_over_it_is_passed_on_for_who_is_told_of_it_again()
    {
        using var cube = new DistributionCube(4, 1, 1, Slow);
        byte[] bytes = Put(cube, 0);
        ulong job = cube.Begin(0, "f");
        cube.Cube.AwaitUntil(() => Pulled(cube, 2) > Pieces / 2);
        cube.Cube.Kill(cube.Cube.Shape.At(2));
        cube.Cube.AwaitUntil(() => cube.State(0, job).Stage == Incomplete);

        // The others are told that it has ended; that the source has noted it is lost with its power.
        cube.Cube.AwaitUntil(() => cube[1].Known == 0 && cube[3].Known == 0);
        cube.Cube.Kill(cube.Cube.Shape.At(0));
        cube.Cube.Revive(cube.Cube.Shape.At(2));
        cube.Cube.Revive(cube.Cube.Shape.At(0));
        cube.Cube.AwaitUntil(() => cube[0].StateOf(job) is not null);
        cube.Await(0, job);
        Assert.All(Enumerable.Range(0, 4), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        cube.Cube.Advance(TimeSpan.FromSeconds(30));
        cube.AssertQuiet();
    }

    private static byte[] Put(DistributionCube cube, int rank)
    {
        byte[] bytes = DistributionCube.Bytes(rank, Pieces * Piece);
        cube.Put(rank, "f", bytes);
        return bytes;
    }

    private static long Pulled(DistributionCube cube, int rank) => cube[rank].Terms.Counters.Pulled.Value;
}
