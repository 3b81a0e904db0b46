using CamCube.Simulator.Disks;
using CamCube.Simulator.Settings;
using static CamCube.Services.Distribution.DistributionStage;

namespace CamCube.Services.Distribution.Tests.Service;

/// <summary>Servers, cables and disks that fail while files are on their way: whole or absent, never wrong.</summary>
public sealed class FaultTests
{
    private const int Length = 3_000_000;

    [Fact]
    public void Servers_that_are_killed_at_half_hold_nobody_else_up()
    {
        using var cube = new DistributionCube(3, 3, 3);
        byte[] bytes = Put(cube, 13);
        ulong job = cube.Begin(13, "f");

        // Neighbours of the source: each is the first of a tree.
        int[] killed = [12, 16];
        cube.Cube.AwaitUntil(() => Half(cube, 0));
        Array.ForEach(killed, rank => cube.Cube.Kill(cube.Cube.Shape.At(rank)));
        DistributionState state = cube.Await(13, job);
        Assert.Equal(Incomplete, state.Stage);
        for (int rank = 0; rank < 27; rank++)
        {
            bool isKilled = killed.Contains(rank);
            Assert.Equal(isKilled ? MemberStage.Lost : MemberStage.Done, state.Members[rank].Stage);
            if (!isKilled)
            {
                Assert.Equal(bytes, cube.Read(rank, "f"));
            }
        }

        Assert.True(
            Enumerable.Range(0, 27).Where(r => !killed.Contains(r)).Sum(r => Counters(cube, r).Relayed.Value) > 0
        );
        cube.AssertQuiet();
    }

    [Fact]
    public void A_member_that_comes_back_gets_it_too()
    {
        using var cube = new DistributionCube(3, 3, 3);
        byte[] bytes = Put(cube, 0);
        ulong job = cube.Begin(0, "f");
        cube.Cube.AwaitUntil(() => Half(cube, 26));
        cube.Cube.Kill(cube.Cube.Shape.At(1));
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        cube.Cube.Revive(cube.Cube.Shape.At(1));
        Assert.Equal(Done, cube.Await(0, job).Stage);
        Assert.All(Enumerable.Range(0, 27), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        cube.AssertQuiet();
    }

    [Fact]
    public void Cables_that_are_cut_cost_time_only()
    {
        using var cube = new DistributionCube(3, 3, 3);
        byte[] bytes = Put(cube, 13);
        ulong job = cube.Begin(13, "f");
        cube.Cube.AwaitUntil(() => Half(cube, 0));
        cube.Cube.Cut(cube.Cube.Shape.At(13), Link.XPlus);
        cube.Cube.Cut(cube.Cube.Shape.At(13), Link.YMinus);
        cube.Cube.Cut(cube.Cube.Shape.At(4), Link.ZPlus);
        Assert.Equal(Done, cube.Await(13, job).Stage);
        Assert.All(Enumerable.Range(0, 27), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_member_whose_disk_is_full_says_so_and_passes_on_what_others_need()
    {
        using var cube = new DistributionCube(3, 3, 1);
        byte[] bytes = Put(cube, 0);
        ulong job = cube.Begin(0, "f");
        cube.Cube.AwaitUntil(() => Half(cube, 8));
        using IDisposable full = cube.Cube.DiskFaults.Add(new FullDisk(), 1, 3);
        DistributionState state = cube.Await(0, job);
        Assert.Equal(Incomplete, state.Stage);
        for (int rank = 0; rank < 9; rank++)
        {
            bool isFull = rank is 1 or 3;
            Assert.Equal(isFull ? MemberStage.Failed : MemberStage.Done, state.Members[rank].Stage);
            Assert.Equal(isFull ? null : bytes, cube.Read(rank, "f"));
            Assert.Equal(isFull ? "its disk is full" : null, state.Members[rank].Words);
        }

        cube.AssertQuiet();
    }

    // Each server in turn is the slow one in some tree's middle: 1 is next to the source, 13 opposite.
    [Theory]
    [InlineData(1)]
    [InlineData(13)]
    public void A_member_whose_disk_has_a_tenth_of_the_rate_holds_nobody_else_up(int slow)
    {
        double Last(bool isSlow)
        {
            var options = new DistributionOptions { PieceBytes = 32 << 10, Poll = TimeSpan.FromMilliseconds(1) };
            var simulator = new SimulatorOptions { IsTracing = false };
            simulator.Disk.BytesPerSecond = 20_000_000_000;
            using var cube = new DistributionCube(3, 3, 3, options, simulator);
            byte[] bytes = Put(cube, 0, 12_000_000);

            // Six links bring a piece each 44 us; this disk takes one in 440.
            using IDisposable? fault = isSlow
                ? cube.Cube.DiskFaults.Add(new DiskSlowness(TimeSpan.FromMicroseconds(420)), slow)
                : null;
            DistributionState state = cube.Await(0, cube.Begin(0, "f"));
            Assert.Equal(Done, state.Stage);
            Assert.All(Enumerable.Range(0, 27), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
            Assert.Equal(isSlow, Counters(cube, slow).GivenUp.Value > 0);
            cube.AssertQuiet();
            IEnumerable<DistributionMember> others = state.Members.Where((_, rank) => rank != slow);
            double last = others.Max(static member => member.Elapsed.TotalSeconds);
            Assert.True(!isSlow || state.Members[slow].Elapsed.TotalSeconds > 3 * last);
            return last;
        }

        (double quick, double beside) = (Last(isSlow: false), Last(isSlow: true));
        Assert.True(beside < 1.02 * quick, $"{quick:F4} s, and {beside:F4} s beside a slow member");
    }

    [Fact]
    public void Of_a_crowd_of_sources_one_that_dies_and_one_that_takes_anothers_name_stop_nobody()
    {
        var options = new DistributionOptions
        {
            PieceBytes = 8 << 10,
            LostTime = TimeSpan.FromSeconds(5),
            KeepTime = TimeSpan.FromSeconds(20),
        };
        using var cube = new DistributionCube(3, 3, 3, options);
        const int Sources = 9,
            Dying = 3,
            Taking = 8,
            Relay = 13;
        byte[][] files = [.. Enumerable.Range(0, Sources).Select(rank => DistributionCube.Bytes(rank, 1_000_000))];
        string NameOf(int source) => source == Taking ? "f0" : $"f{source}";
        for (int source = 0; source < Sources; source++)
        {
            cube.Put(source, NameOf(source), files[source]);
        }

        ulong[] jobs = [.. Enumerable.Range(0, Sources).Select(source => cube.Begin(source, NameOf(source)))];
        cube.Cube.AwaitUntil(() => Counters(cube, 26).Pulled.Value > 200);
        cube.Cube.Kill(cube.Cube.Shape.At(Dying));
        cube.Cube.Kill(cube.Cube.Shape.At(Relay));
        int[] living = [.. Enumerable.Range(0, 27).Where(rank => rank is not (Dying or Relay))];
        for (int source = 0; source < Sources; source++)
        {
            if (source != Dying)
            {
                Assert.Equal(Incomplete, cube.Await(source, jobs[source]).Stage);
            }
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(30));
        foreach (int rank in living)
        {
            Assert.All([1, 2, 4, 5, 6, 7], source => Assert.Equal(files[source], cube.Read(rank, NameOf(source))));
            byte[]? shared = cube.Read(rank, "f0");
            Assert.True(shared is not null && (shared.SequenceEqual(files[0]) || shared.SequenceEqual(files[Taking])));
            Assert.True(cube.Read(rank, "f3") is not { } dead || dead.SequenceEqual(files[Dying]));
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void Who_forges_pieces_is_named_by_those_it_gave_them_to_and_nobody_else_is()
    {
        using var cube = new DistributionCube(3, 3, 3);
        byte[] bytes = Put(cube, 13);
        cube[4].Mistake = DistributionMistake.Forges;
        DistributionState state = cube.Await(13, cube.Begin(13, "f"));
        Assert.Equal(Done, state.Stage);
        Assert.All(Enumerable.Range(0, 27), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        string[] words = [.. state.Members.Select(static m => m.Words).OfType<string>()];
        Assert.InRange(words.Length, 1, 5);
        Assert.All(words, static w => Assert.Equal("wrong pieces came from 1,1,0; they were pulled again", w));
        cube.AssertQuiet();
    }

    // A block that differs by a multiple of the CRC's polynomial goes on to all below it.
    [Theory]
    [InlineData(4)]
    [InlineData(13)]
    [InlineData(22)]
    public void Who_forges_sums_too_is_found_by_the_hashes_of_pieces_and_named(int forger)
    {
        using var cube = new DistributionCube(3, 3, 3);
        byte[] bytes = Put(cube, 13);
        cube[forger].Mistake = DistributionMistake.ForgesSums;
        DistributionState state = cube.Await(13, cube.Begin(13, "f"));
        string who = $"{cube.Cube.Shape.At(forger)}";
        string[] words = [.. state.Members.Select(static m => m.Words).OfType<string>()];
        Assert.NotEmpty(words);
        Assert.All(words, w => Assert.Matches($"that were wrong came from {who}( \\(by way of [^()]+\\))?(,|$)", w));
        Assert.Contains(words, w => w.Contains($"came from {who}", StringComparison.Ordinal) && !w.Contains('('));

        // A source that forges may do so again; else all have it.
        Assert.True(state.Stage == Done || forger == 13, $"{state.Stage}");
        Assert.All(
            state.Members.Where(static m => m.Stage == MemberStage.Done),
            m => Assert.Equal(bytes, cube.Read(cube.Cube.Shape.RankOf(m.Server), "f"))
        );
        Assert.Equal(0, Enumerable.Range(0, 27).Sum(r => Counters(cube, r).Wrong.Value));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_source_file_that_changes_meanwhile_ends_the_job_and_nobody_has_a_mixture()
    {
        using var cube = new DistributionCube(3, 3, 1);
        byte[] bytes = Put(cube, 4, 20_000_000);
        ulong job = cube.Begin(4, "f");
        cube.Cube.AwaitUntil(() => Counters(cube, 0).Pulled.Value > 10);
        cube.Put(4, "f", DistributionCube.Bytes(2, bytes.Length));
        DistributionState state = cube.Await(4, job);
        Assert.Equal(Failed, state.Stage);
        Assert.Contains("has changed", state.Words, StringComparison.Ordinal);
        cube.AssertQuiet();
        Assert.All(Enumerable.Range(0, 9).Where(r => r != 4), rank => Assert.Null(cube.Read(rank, "f")));
    }

    [Fact]
    public void A_source_that_is_lost_leaves_nothing_once_it_was_waited_for()
    {
        var options = new DistributionOptions { PieceBytes = 8 << 10, KeepTime = TimeSpan.FromSeconds(20) };
        using var cube = new DistributionCube(3, 3, 1, options);
        Put(cube, 4, 20_000_000);
        cube.Begin(4, "f");
        cube.Cube.AwaitUntil(() => Counters(cube, 0).Pulled.Value > 10);
        cube.Cube.Kill(cube.Cube.Shape.At(4));
        cube.Cube.Advance(TimeSpan.FromSeconds(30));
        cube.AssertQuiet();
        Assert.All(Enumerable.Range(0, 9).Where(r => r != 4), rank => Assert.Null(cube.Read(rank, "f")));
    }

    [Fact]
    public void Packets_that_are_lost_and_servers_that_pause_cost_time_only()
    {
        using var cube = new DistributionCube(3, 3, 2);
        byte[] bytes = Put(cube, 0);
        var random = new Random(1);
        cube.Cube.Lose = (_, _, packet) => packet.Service.Value == 0x0130 && random.Next(50) == 0;
        ulong job = cube.Begin(0, "f");
        cube.Cube.AwaitUntil(() => Half(cube, 17));
        cube.Cube.Pause(cube.Cube.Shape.At(1), TimeSpan.FromSeconds(3));
        cube.Cube.Pause(cube.Cube.Shape.At(0), TimeSpan.FromSeconds(1));
        Assert.Equal(Done, cube.Await(0, job).Stage);
        cube.Cube.Lose = null;
        Assert.All(Enumerable.Range(0, 18), rank => Assert.Equal(bytes, cube.Read(rank, "f")));
        cube.AssertQuiet();
    }

    private static Counting.DistributionCounters Counters(DistributionCube cube, int rank) => cube[rank].Terms.Counters;

    private static byte[] Put(DistributionCube cube, int rank, int length = Length)
    {
        byte[] bytes = DistributionCube.Bytes(rank, length);
        cube.Put(rank, "f", bytes);
        return bytes;
    }

    // A server has half of the pieces.
    private static bool Half(DistributionCube cube, int rank) =>
        Counters(cube, rank).Pulled.Value > Length / cube.Options.PieceBytes / 2;
}
