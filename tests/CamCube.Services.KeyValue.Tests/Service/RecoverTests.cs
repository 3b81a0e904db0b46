using System.Buffers;
using System.Text;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Salvage;
using CamCube.Simulator.Disks;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Recovery by hand: most stores of some groups are gone for good.</summary>
public sealed class RecoverTests
{
    private const int Keys = 40;

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void What_the_survivors_had_is_there_and_the_lost_ones_are_not_let_in(int others)
    {
        using var cube = new StoreCube(others, 3, 1);
        cube.AwaitLed();
        Dictionary<string, KeyValueAnswer> before = Fill(cube, "before", 0);
        int[] lost = [0, 1];
        foreach (int rank in lost)
        {
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
        }

        cube.Cube.AwaitConverged();
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        string[] away = [.. before.Keys.Where(key => cube.Get(2, key).Answer.Status == Unavailable)];
        Assert.NotEmpty(away);
        Assert.All(before.Keys.Except(away), key => Assert.Equal("before", cube.Get(2, key).Value));
        Assert.Contains(
            Enumerable.Range(2, cube.Cube.Shape.Count - 2).SelectMany(rank => cube[rank].ListGroups()),
            static g => g.WithoutMajority > TimeSpan.FromSeconds(1)
        );

        RecoverOutcome planned = Recover(cube, 2, does: false, lost);
        Assert.Null(planned.Refusal);
        Assert.NotEmpty(planned.Plans);
        Assert.All(away, key => Assert.Equal(Unavailable, cube.Get(2, key).Answer.Status));
        RecoverOutcome outcome = Recover(cube, cube.Cube.Shape.Count - 1, does: true, lost);
        Assert.Equal((null, 0), (outcome.Refusal, outcome.Left));
        AwaitServed(cube, 2, before.Keys);
        Assert.All(before.Keys, key => Assert.Equal("before", cube.Get(2, key).Value));

        // Versions grow, and an old one never fits a new value.
        Dictionary<string, KeyValueAnswer> after = Fill(cube, "after", 2);
        Assert.All(after.Keys, key => Assert.InRange(after[key].Version, before[key].Version + 1, ulong.MaxValue));
        Assert.All(away, key => Assert.Equal(1ul, after[key].Version >> 40));
        Assert.All(
            after.Keys,
            key => Assert.Equal(Conflict, cube.Put(2, key, "x", KeyValueCondition.Is(before[key].Version)).Status)
        );

        // It is done, and once more nothing is.
        RecoverOutcome again = Recover(cube, 2, does: true, lost);
        Assert.Equal((null, 0, 0), (again.Refusal, again.Left, again.Plans.Count));

        // They come back with their disks, and nobody takes anything from them.
        foreach (int rank in lost)
        {
            cube.Cube.Revive(cube.Cube.Shape.At(rank));
        }

        cube.Cube.AwaitConverged();
        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        Assert.All(lost, rank => Assert.Contains("given up", cube.Store(rank).Failure, StringComparison.Ordinal));
        Assert.All(after.Keys, key => Assert.Equal("after", cube.Get(2, key).Value));
        Assert.All(
            cube[2].ListGroups().Where(static g => g.Generation > 0),
            g => Assert.DoesNotContain(g.Members, m => lost.Contains(cube.Cube.Shape.RankOf(m)))
        );

        // With blank disks they are other stores.
        foreach (int rank in lost)
        {
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
            cube.Cube.Revive(cube.Cube.Shape.At(rank), emptyDisk: true);
        }

        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        Assert.All(cube[0].ListGroups(), g => Assert.Equal(3, g.Members.Count));
        Assert.All(after.Keys, key => Assert.Equal("after", cube.Get(0, key).Value));
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void A_crowd_writes_meanwhile_and_every_value_is_one_that_was_written_and_no_version_names_two()
    {
        using var cube = new StoreCube(3, 3, 1, new KeyValueOptions { ReplicateAfter = TimeSpan.FromSeconds(2) });
        cube.AwaitLed();
        var written = new Dictionary<(string Key, ulong Version), string>();
        var crowd = new Crowd(cube, written);
        crowd.Begin(2, 8);
        cube.Cube.Advance(TimeSpan.FromSeconds(2));
        cube.Cube.Kill(cube.Cube.Shape.At(0));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(50));
        cube.Cube.Kill(cube.Cube.Shape.At(1));
        cube.Cube.AwaitConverged();
        cube.Cube.Advance(TimeSpan.FromSeconds(1));

        // The server of the command dies in the middle; another one goes on.
        _ = Start(cube, 4, does: true, 0, 1);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(30));
        cube.Cube.Kill(cube.Cube.Shape.At(4));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(300));
        RecoverOutcome refused = Recover(cube, 5, does: true, 0, 1);
        Assert.Contains("1,1,0", refused.Refusal, StringComparison.Ordinal);
        cube.Cube.Revive(cube.Cube.Shape.At(4));
        cube.Cube.AwaitConverged();
        RecoverOutcome outcome = Recover(cube, 5, does: true, 0, 1);
        Assert.Equal((null, 0), (outcome.Refusal, outcome.Left));
        cube.Cube.Advance(TimeSpan.FromSeconds(3));
        cube.Cube.Revive(cube.Cube.Shape.At(0));
        cube.Cube.Revive(cube.Cube.Shape.At(1));
        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        crowd.End();
        Assert.True(crowd.Done > 1_000, $"{crowd.Done} done");
        Assert.Empty(crowd.Wrong);
        Assert.Empty(cube.Cube.Faults);
    }

    [Fact]
    public void It_is_refused_while_somebody_is_neither_asked_nor_named_and_while_a_store_is_there()
    {
        using var cube = new StoreCube(3, 3, 1);
        cube.AwaitLed();
        Fill(cube, "before", 0);
        foreach (int rank in (int[])[0, 1, 8])
        {
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
        }

        cube.Cube.AwaitConverged();
        Assert.Contains("2,2,0 does not answer", Recover(cube, 2, true, 0, 1).Refusal, StringComparison.Ordinal);
        cube.Cube.Revive(cube.Cube.Shape.At(8));
        cube.Cube.AwaitConverged();
        Assert.Contains("2,0,0 is there", Recover(cube, 4, true, 0, 2).Refusal, StringComparison.Ordinal);

        // A new disk says that the old one is gone, and not that this is known.
        cube.Cube.Revive(cube.Cube.Shape.At(0), emptyDisk: true);
        cube.Cube.AwaitConverged();
        Assert.Contains("0,0,0 has another store", Recover(cube, 2, true, 1).Refusal, StringComparison.Ordinal);
        Assert.All(cube[2].ListGroups(), static g => Assert.Equal(0u, g.Generation));
        RecoverOutcome outcome = Recover(cube, 0, true, 0, 1);
        Assert.Equal((null, 0), (outcome.Refusal, outcome.Left));
        AwaitServed(cube, 2, Enumerable.Range(0, Keys).Select(static i => $"key {i}"));
    }

    // What a server has fetched is not on its disk yet when the other one asks it for the same.
    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    [InlineData(30)]
    public void Two_that_fetch_at_once_do_not_take_half_of_it_from_each_other(int syncMillis)
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        Fill(cube, "before", 0);
        foreach (int rank in (int[])[0, 1])
        {
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
        }

        cube.Cube.AwaitConverged();
        cube.Cube.DiskFaults.Add(new DiskSlowness(TimeSpan.FromMilliseconds(syncMillis)));
        foreach (int rank in (int[])[0, 1])
        {
            cube.Cube.Revive(cube.Cube.Shape.At(rank), emptyDisk: true);
        }

        cube.Cube.AwaitConverged();
        Assert.Equal(0, Recover(cube, 2, does: true, 0, 1).Left);
        cube.AwaitSettled();

        // Nobody has it now but they.
        cube.Cube.Kill(cube.Cube.Shape.At(2));
        cube.Cube.AwaitConverged();
        AwaitServed(cube, 0, Enumerable.Range(0, Keys).Select(static i => $"key {i}"));
        Assert.All(Enumerable.Range(0, Keys), i => Assert.Equal((Done, "before"), Read(cube, i % 2, $"key {i}")));
    }

    // Servers with new disks are there, and busy when they are asked once more: nobody said that these disks are gone.
    [Theory]
    [InlineData(10)]
    [InlineData(30)]
    [InlineData(60)]
    [InlineData(100)]
    public void New_disks_that_do_not_answer_for_a_while_are_not_given_up_with_the_old_ones(int afterMillis)
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        Fill(cube, "before", 0);
        foreach (int rank in (int[])[0, 1])
        {
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
        }

        cube.Cube.AwaitConverged();
        foreach (int rank in (int[])[0, 1])
        {
            cube.Cube.Revive(cube.Cube.Shape.At(rank), emptyDisk: true);
        }

        cube.Cube.AwaitConverged();
        Task<RecoverOutcome> begun = Start(cube, 2, does: true, 0, 1);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(afterMillis));
        foreach (int rank in (int[])[0, 1])
        {
            cube.Cube.Pause(cube.Cube.Shape.At(rank), TimeSpan.FromSeconds(2));
        }

        RecoverOutcome first = cube.Cube.Await(new ValueTask<RecoverOutcome>(begun)),
            outcome = first;
        Assert.Equal((null, 2), (first.Refusal, first.Lost.Count));
        HashSet<string> only = [.. first.Lost.Select(GroupText.Of)];
        for (int calls = 0; calls < 5 && outcome.Left > 0; calls++)
        {
            outcome = cube.Cube.Await(new ValueTask<RecoverOutcome>(Start(cube, 2, does: true, only, 0, 1)));
            Assert.Null(outcome.Refusal);
        }

        Assert.Equal(0, outcome.Left);
        cube.AwaitSettled();
        Assert.Equal(2, cube.Store(2).Host.Bans.Count);
        Assert.All(cube[2].ListGroups(), static g => Assert.Equal((3, 1u), (g.Members.Count, g.Generation)));
        AwaitServed(cube, 0, Enumerable.Range(0, Keys).Select(static i => $"key {i}"));
        Assert.All(Enumerable.Range(0, Keys), i => Assert.Equal((Done, "before"), Read(cube, i % 3, $"key {i}")));
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void Where_one_of_three_is_lost_nothing_is_done_by_hand_and_nobody_waits_to_take_its_part()
    {
        using var cube = new StoreCube(4, 1, 1);
        cube.AwaitLed();
        Fill(cube, "before", 0);
        cube.Cube.Kill(cube.Cube.Shape.At(1));
        cube.Cube.AwaitConverged();
        RecoverOutcome outcome = Recover(cube, 2, does: true, 1);
        Assert.Equal((null, 0, 0), (outcome.Refusal, outcome.Plans.Count, outcome.Left));
        Assert.True(outcome.Healthy > 0);

        // Others know that it does not come back: its part is taken long before ReplicateAfter.
        cube.Cube.Advance(TimeSpan.FromSeconds(10));
        Coordinate lost = cube.Cube.Shape.At(1);
        Assert.All(cube[2].ListGroups(), g => Assert.DoesNotContain(lost, g.Members));
        Assert.All(cube[2].ListGroups(), static g => Assert.Equal((0, 0u), (g.Away, g.Generation)));
    }

    [Fact]
    public void Where_all_three_are_lost_the_group_begins_with_nothing_and_a_later_generation()
    {
        using var cube = new StoreCube(6, 1, 1);
        cube.AwaitLed();
        Dictionary<string, KeyValueAnswer> before = Fill(cube, "before", 0);
        int[] lost = [0, 1, 2];
        foreach (int rank in lost)
        {
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
        }

        cube.Cube.AwaitConverged();
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        RecoverOutcome outcome = Recover(cube, 4, does: true, lost);
        Assert.Equal((null, 0), (outcome.Refusal, outcome.Left));
        GroupPlan[] gone = [.. outcome.Plans.Where(static p => p.Base is null)];
        Assert.NotEmpty(gone);
        AwaitServed(cube, 4, before.Keys);
        int missing = before.Keys.Count(key => cube.Get(4, key).Answer.Status == NotFound);
        Assert.InRange(missing, 1, Keys - 1);
        Dictionary<string, KeyValueAnswer> after = Fill(cube, "after", 4);
        Assert.All(after.Keys, key => Assert.InRange(after[key].Version, before[key].Version + 1, ulong.MaxValue));
    }

    // Also where the two that are left have agreed: the third may have, too, and known it.
    [Theory]
    [InlineData(new[] { 0, 1 })]
    [InlineData(new[] { 1 })]
    public void Groups_that_were_being_born_when_disks_were_lost_go_on(int[] lost)
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.Cube.DiskFaults.Add(new DiskSlowness(TimeSpan.FromMilliseconds(8)));
        bool isBegun = false;
        for (int wait = 0; wait < 5_000 && !isBegun; wait++)
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
            isBegun = cube.Store(2).Host?.Members.Any(static m => m.State is { Birth: not null, Epoch: null }) == true;
        }

        Assert.True(isBegun);
        Array.ForEach(lost, rank => cube.Cube.Kill(cube.Cube.Shape.At(rank)));
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Array.ForEach(lost, rank => cube.Cube.Revive(cube.Cube.Shape.At(rank), emptyDisk: true));
        cube.Cube.AwaitConverged();
        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        int unborn = cube.Store(2).Host.Members.Count(static m => m.State.Epoch is null);
        Assert.InRange(unborn, 1, 144);
        RecoverOutcome outcome = Recover(cube, 2, does: true, lost);
        Assert.Equal((null, 0), (outcome.Refusal, outcome.Left));
        Assert.True(outcome.Plans.Count >= unborn, $"{outcome.Plans.Count} of {unborn}");
        cube.AwaitLed();
        Dictionary<string, KeyValueAnswer> after = Fill(cube, "after", 0);
        Assert.All(after.Keys, key => Assert.Equal("after", cube.Get(1, key).Value));
        cube.AwaitSettled();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_generation_and_who_was_given_up_are_there_after_the_power_failed_everywhere(bool hasSnapshot)
    {
        var options = new KeyValueOptions { SegmentBytes = 1 << 20, SnapshotAfter = hasSnapshot ? 16 : 1_000_000 };
        using var cube = new StoreCube(3, 1, 1, options);
        cube.AwaitLed();
        Fill(cube, "before", 0);
        cube.Cube.Kill(cube.Cube.Shape.At(0));
        cube.Cube.Kill(cube.Cube.Shape.At(1));
        cube.Cube.AwaitConverged();
        Assert.Equal(0, Recover(cube, 2, does: true, 0, 1).Left);
        AwaitServed(cube, 2, ["key 1"]);

        // Alone it serves; what is written over and over is compacted.
        for (int i = 0; i < 400; i++)
        {
            Assert.Equal(Done, cube.Put(2, $"key {i % 7}", $"{i} {new string('x', 20_000)}").Status);
        }

        Fill(cube, "after", 2);

        // All of it lies before the mark of a snapshot then.
        cube.Cube.Advance(TimeSpan.FromSeconds(4));
        for (int start = 0; start < 2; start++)
        {
            cube.Cube.Kill(cube.Cube.Shape.At(2));
            cube.Cube.Revive(cube.Cube.Shape.At(2));
            cube.Cube.Advance(TimeSpan.FromSeconds(1));
            AwaitServed(cube, 2, ["key 1"]);
            Assert.Equal("after", cube.Get(2, "key 1").Value);
            Assert.All(cube[2].ListGroups(), static g => Assert.Equal((1u, 1), (g.Generation, g.Members.Count)));
            Assert.Equal((2, hasSnapshot), (cube.Store(2).Host.Bans.Count, cube.Store(2).Host.HasSnapshot));
        }

        cube.Cube.Revive(cube.Cube.Shape.At(0));
        cube.Cube.Revive(cube.Cube.Shape.At(1), emptyDisk: true);
        cube.Cube.AwaitConverged();
        cube.Cube.Advance(TimeSpan.FromSeconds(20));
        Assert.Contains("given up", cube.Store(0).Failure, StringComparison.Ordinal);
        Assert.All(cube[2].ListGroups(), static g => Assert.Equal((2, 0), (g.Members.Count, g.Away)));
        Assert.All(Enumerable.Range(0, Keys), i => Assert.Equal("after", cube.Get(1, $"key {i}").Value));
    }

    private static (KeyValueStatus, string) Read(StoreCube cube, int rank, string key)
    {
        (KeyValueAnswer answer, string value) = cube.Get(rank, key);
        return (answer.Status, value);
    }

    private static HashSet<Coordinate> Named(StoreCube cube, int[] lost) => [.. lost.Select(cube.Cube.Shape.At)];

    private static RecoverOutcome Recover(StoreCube cube, int at, bool does, params int[] lost) =>
        cube.Cube.Await(new ValueTask<RecoverOutcome>(Start(cube, at, does, lost)));

    // On the server's loop, as the service's command is.
    private static Task<RecoverOutcome> Start(StoreCube cube, int at, bool does, params int[] lost) =>
        Start(cube, at, does, null, lost);

    private static Task<RecoverOutcome> Start(
        StoreCube cube,
        int at,
        bool does,
        IReadOnlySet<string>? only,
        params int[] lost
    )
    {
        var ended = new TaskCompletionSource<RecoverOutcome>();
        HashSet<Coordinate> named = Named(cube, lost);
        Recoverer recoverer = cube.Store(at).Recoverer;
        cube.Cube[at]
            .ServerOf<KeyValueService>()
            .Loop.Run(async () => ended.SetResult(await recoverer.RunAsync(named, does, only)));
        return ended.Task;
    }

    private static Dictionary<string, KeyValueAnswer> Fill(StoreCube cube, string value, int rank)
    {
        Dictionary<string, KeyValueAnswer> answers = [];
        for (int i = 0; i < Keys; i++)
        {
            answers[$"key {i}"] = cube.Put(rank, $"key {i}", value);
            Assert.Equal(Done, answers[$"key {i}"].Status);
        }

        return answers;
    }

    private static void AwaitServed(StoreCube cube, int rank, IEnumerable<string> keys)
    {
        string[] left = [.. keys];
        for (int second = 0; second < 30 && left.Length > 0; second++)
        {
            left = [.. left.Where(key => cube.Get(rank, key).Answer.Status == Unavailable)];
        }

        Assert.Empty(left);
    }

    // What is put is said in the value; whoever reads compares.
    private sealed class Crowd(StoreCube cube, Dictionary<(string Key, ulong Version), string> written)
    {
        private readonly Dictionary<string, HashSet<string>> _values = [];
        private bool _isOver;

        public int Done { get; private set; }

        public List<string> Wrong { get; } = [];

        public void Begin(params int[] ranks)
        {
            for (int client = 0; client < 24; client++)
            {
                int at = ranks[client % ranks.Length];
                int number = client;
                cube.Cube[at].ServerOf<KeyValueService>().Loop.Run(() => WorkAsync(at, number));
            }
        }

        public void End()
        {
            _isOver = true;
            cube.Cube.Advance(TimeSpan.FromSeconds(12));
        }

        private async ValueTask WorkAsync(int at, int client)
        {
            for (int i = 0; !_isOver; i++)
            {
                string key = $"crowd {(client + (i * 5)) % 40}";
                if (i % 3 == 0)
                {
                    var read = new ArrayBufferWriter<byte>();
                    KeyValueAnswer got = await cube[at].GetAsync(KeyValueKey.Of(key), value: read);
                    Judge(key, got, Encoding.UTF8.GetString(read.WrittenSpan), isRead: true);
                    continue;
                }

                string value = $"{client} {i}";
                ValuesOf(key).Add(value);
                KeyValueAnswer put = await cube[at].PutAsync(KeyValueKey.Of(key), Encoding.UTF8.GetBytes(value), new());
                Judge(key, put, value, isRead: false);
            }
        }

        private HashSet<string> ValuesOf(string key)
        {
            _values.TryAdd(key, []);
            return _values[key];
        }

        private void Judge(string key, KeyValueAnswer answer, string value, bool isRead)
        {
            if (answer.Status != KeyValueStatus.Done)
            {
                return;
            }

            Done++;
            if (isRead && !ValuesOf(key).Contains(value))
            {
                Wrong.Add($"{key} is {value}, which nobody wrote");
            }

            if (!written.TryAdd((key, answer.Version), value) && written[(key, answer.Version)] != value)
            {
                Wrong.Add($"{key} {answer.Version:x} is {value} and {written[(key, answer.Version)]}");
            }
        }
    }
}
