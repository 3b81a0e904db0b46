using CamCube.Calls;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Requests that are sent again, whoever leads then and whatever became of what they wrote.</summary>
public sealed class RememberingTests
{
    private const int Keys = 24;

    // So little is kept that what was done is forgotten by logs and disks at once.
    private static readonly KeyValueOptions Small = new()
    {
        MaxValueLength = 8 << 10,
        SegmentBytes = 512 << 10,
        TailBytes = 4 << 10,
        ReplicateAfter = TimeSpan.FromSeconds(4),
    };

    [Fact]
    public void A_request_that_was_done_is_known_after_a_start()
    {
        using var cube = new StoreCube(1, 1, 1, new KeyValueOptions { TailBytes = 4 << 10 });
        cube.AwaitLed();
        RawRequest[] asked = Ask(cube, i => new string('x', 3_000 + i));
        Assert.Equal(Keys, ((KeyValueService)cube[0]).Remembered);
        cube.Cube.Kill(cube.Cube.Shape.At(0));
        cube.Cube.Revive(cube.Cube.Shape.At(0));
        cube.AwaitLed();
        cube.Cube.Advance(TimeSpan.FromMilliseconds(500));
        Assert.Equal(Keys, ((KeyValueService)cube[0]).Remembered);
        Assert.All(asked, request => Assert.Equal(Knowledge.Answered, Knows(cube, request)));
    }

    [Fact]
    public void Whoever_fetched_the_state_knows_what_was_done_in_it()
    {
        using var cube = new StoreCube(3, 1, 1, Small);
        cube.AwaitLed();
        cube.Cube.Kill(cube.Cube.Shape.At(2));
        RawRequest[] asked = Ask(cube, static _ => "first");
        ulong number = Keys;
        Fill(cube, ref number, "later", 6);
        cube.Cube.Revive(cube.Cube.Shape.At(2));
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        for (int away = 0; away < 2; away++)
        {
            cube.Cube.Kill(cube.Cube.Shape.At(away));
            Retry(cube, 1 - away, asked, "later 5");
            cube.Cube.Revive(cube.Cube.Shape.At(away));
            cube.Cube.AwaitConverged();
            cube.AwaitSettled();
        }

        // A disk that was replaced, too.
        cube.Cube.Kill(cube.Cube.Shape.At(1));
        cube.Cube.AwaitConverged();
        cube.Cube.Revive(cube.Cube.Shape.At(1), emptyDisk: true);
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        cube.Cube.Kill(cube.Cube.Shape.At(0));
        Retry(cube, 2, asked, "later 5");
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void What_compaction_removed_is_known_when_all_have_been_off(int servers)
    {
        using var cube = new StoreCube(servers, 1, 1, Small);
        cube.AwaitLed();
        RawRequest[] asked = Ask(cube, static _ => "first");
        ulong number = Keys;
        uint before = LogOf(cube, 0).Segments.Oldest;
        Fill(cube, ref number, new string('x', 6_000), 20);
        cube.Cube.AwaitUntil(() => LogOf(cube, 0).Segments.Oldest > before + 1, "Nothing was compacted");
        for (int times = 0; times < 3; times++)
        {
            for (int rank = 0; rank < servers; rank++)
            {
                cube.Cube.Kill(cube.Cube.Shape.At(rank));
            }

            for (int rank = 0; rank < servers; rank++)
            {
                cube.Cube.Revive(cube.Cube.Shape.At(rank));
            }

            cube.Cube.AwaitConverged();
            cube.AwaitSettled();
            Retry(cube, 0, asked, $"{new string('x', 6_000)} 19");
            Fill(cube, ref number, new string('x', 6_000), 20);
        }

        cube.Cube.AssertQuiet();
    }

    // Server 3 is hostile: it gives the same numbers to other changes, as others of other runs, and closes none or all.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void In_a_crowd_each_request_is_done_once_and_a_hostile_one_harms_only_itself(int seed)
    {
        using var cube = new StoreCube(4, 1, 1, Small);
        var done = new Dictionary<(GroupId, RequestId), ulong>();
        int failing = -1;
        cube.AwaitLed();
        var random = new Random(seed);
        var asked = new List<RawRequest>();
        for (int round = 0; round < 24; round++)
        {
            for (int rank = 0; rank < 4; rank++)
            {
                if (cube.Cube[rank].IsRunning)
                {
                    ((KeyValueService)cube[rank]).Host.Watch = (member, action) => Note(done, member, action);
                }
            }

            for (int i = 0; i < 30; i++)
            {
                RawRequest request =
                    asked.Count > 0 && random.Next(3) == 0
                        ? asked[random.Next(Math.Max(0, asked.Count - 60), asked.Count)] with
                        {
                            Attempt = (byte)random.Next(1, 4),
                        }
                        : new RawRequest($"key {random.Next(Keys)}")
                        {
                            Asker = random.Next(3),
                            Number = (ulong)asked.Count + 1,
                            Closed = (ulong)Math.Max(0, asked.Count - 60),
                            Value = $"{round} {i} {new string('x', random.Next(3_000))}",
                            Condition = random.Next(4) == 0 ? KeyValueCondition.Present : default,
                            Attempt = (byte)random.Next(1, 3),
                        };
                if (request.Number > (ulong)asked.Count)
                {
                    asked.Add(request);
                }

                request.Arrive(cube);
                Hostile(random).Arrive(cube);
            }

            failing = Fail(cube, random, failing);
        }

        Assert.True(done.Count > 500, $"{done.Count}");
        foreach (RawRequest request in asked[^60..])
        {
            (request with { Attempt = 2 }).Arrive(cube);
            Assert.Equal(Knowledge.Answered, Knows(cube, request));
        }

        cube.Cube.AssertQuiet();
    }

    private static int Fail(StoreCube cube, Random random, int failing)
    {
        if (failing >= 0)
        {
            cube.Cube.Revive(cube.Cube.Shape.At(failing), emptyDisk: random.Next(4) == 0);
            cube.Cube.AwaitConverged();
            cube.AwaitSettled();
            return -1;
        }

        if (random.Next(3) == 0)
        {
            for (int rank = 0; rank < 4; rank++)
            {
                cube.Cube.Kill(cube.Cube.Shape.At(rank));
            }

            for (int rank = 0; rank < 4; rank++)
            {
                cube.Cube.Revive(cube.Cube.Shape.At(rank));
            }

            cube.Cube.AwaitConverged();
            cube.AwaitSettled();
            return -1;
        }

        failing = random.Next(4);
        cube.Cube.Kill(cube.Cube.Shape.At(failing));
        return failing;
    }

    private static RawRequest Hostile(Random random) =>
        new($"key {random.Next(Keys)}")
        {
            Asker = 3,
            Number = (ulong)random.Next(100),
            Run = (ulong.MaxValue / 2) + (ulong)random.Next(3),
            Closed = random.Next(3) == 0 ? ulong.MaxValue : 0,
            Value = $"hostile {random.Next()}",
            Attempt = (byte)random.Next(256),
        };

    private static void Note(Dictionary<(GroupId, RequestId), ulong> done, Member member, in GroupAction action)
    {
        if (action.Kind != ActionKind.Commit)
        {
            return;
        }

        for (ulong index = member.State.BaseIndex + 1; index <= action.Index; index++)
        {
            if (member.Tail.Has(index) && member.Tail[index].Operation is { } operation)
            {
                (GroupId, RequestId) name = (member.Id, operation.Request);
                Assert.True(done.TryAdd(name, index) || done[name] == index, $"{name} at {done[name]} and {index}");
            }
        }
    }

    private static RawRequest[] Ask(StoreCube cube, Func<int, string> text)
    {
        RawRequest[] asked =
        [
            .. Enumerable
                .Range(0, Keys)
                .Select(i => new RawRequest($"key {i}")
                {
                    Value = text(i),
                    Asker = i % cube.Cube.Shape.Count,
                    Number = (ulong)i + 1,
                }),
        ];
        Assert.All(
            asked,
            request =>
            {
                request.Arrive(cube);
                Assert.StartsWith(request.Value, cube.Get(0, request.Key).Value, StringComparison.Ordinal);
            }
        );
        return asked;
    }

    // By the same askers, who still wait for what they asked first.
    private static void Fill(StoreCube cube, ref ulong number, string value, int times)
    {
        for (int i = 0; i < times; i++)
        {
            for (int key = 0; key < Keys; key++)
            {
                var request = new RawRequest($"key {key}")
                {
                    Value = $"{value} {i}",
                    Asker = key % cube.Cube.Shape.Count,
                    Number = ++number,
                };
                request.Arrive(cube);
            }
        }
    }

    private static void Retry(StoreCube cube, int rank, RawRequest[] asked, string expected)
    {
        foreach (RawRequest request in asked)
        {
            (request with { Attempt = 2 }).Arrive(cube);
            Assert.Equal((Done, expected), (cube.Get(rank, request.Key) is var (a, got) ? a.Status : 0, got));
        }
    }

    private static Knowledge Knows(StoreCube cube, RawRequest request)
    {
        KeyValueService leader = request.LeaderIn(cube)!;
        Member member = leader.Host.Find(request.GroupIn(cube.Cube.Shape))!;
        return member.Requests.Find(request.IdIn(cube.Cube.Shape), out _);
    }

    private static StoreLog LogOf(StoreCube cube, int rank) => ((KeyValueService)cube[rank]).Host.Log!;
}
