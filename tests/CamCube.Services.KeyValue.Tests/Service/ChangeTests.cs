using System.Buffers;
using System.Text;
using CamCube.Services.KeyValue.Wire;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Changes that are worked out by the value that is there.</summary>
public sealed class ChangeTests
{
    private static readonly KeyValueOptions Small = new()
    {
        MaxValueLength = 8 << 10,
        SegmentBytes = 512 << 10,
        TailBytes = 4 << 10,
    };

    [Fact]
    public void Numbers_are_added_bytes_appended_and_old_values_given()
    {
        using var cube = new StoreCube(3, 1, 1, Small);
        cube.AwaitLed();
        Assert.Equal((Done, "5"), Add(cube, "n", 5));
        Assert.Equal((Done, "-2"), Add(cube, "n", -7));
        Assert.Equal((Done, "-2"), Add(cube, "n", 0));
        Assert.Equal((Done, $"{long.MinValue}"), Add(cube, "n", long.MinValue + 2));
        KeyValueAnswer before = cube.Get(1, "n").Answer;
        Assert.Equal((Overflow, ""), Add(cube, "n", -1));
        Assert.Equal((Overflow, ""), Add(cube, "n", long.MinValue));
        Assert.Equal(before, cube.Get(1, "n").Answer with { Hops = before.Hops });
        Assert.Equal((Done, "-1"), Add(cube, "n", long.MaxValue));
        foreach (
            string none in (string[])["", "-", "+1", "01", "-0", " 1", "1 ", "1.0", "1e3", "9223372036854775808", "x"]
        )
        {
            Assert.Equal(Done, cube.Put(0, "none", none).Status);
            Assert.Equal((NotANumber, ""), Add(cube, "none", 1));
            Assert.Equal(none, cube.Get(2, "none").Value);
        }

        (KeyValueAnswer answer, string value) = cube.Change(0, "text", KeyValueChange.Append("one"u8.ToArray()));
        Assert.Equal((Done, 3L, ""), (answer.Status, answer.Length, value));
        Assert.Equal(6L, cube.Change(1, "text", KeyValueChange.Append(", 2"u8.ToArray())).Answer.Length);
        Assert.Equal("one, 2", cube.Get(2, "text").Value);
        Assert.Equal(6L, cube.Change(2, "text", KeyValueChange.SetRange(1, "NE"u8.ToArray())).Answer.Length);
        Assert.Equal(9L, cube.Change(0, "text", KeyValueChange.SetRange(8, "!"u8.ToArray())).Answer.Length);
        Assert.Equal("oNE, 2\0\0!", cube.Get(1, "text").Value);
        Assert.Equal(TooLarge, cube.Change(1, "text", KeyValueChange.SetRange(8 << 10, "!"u8.ToArray())).Answer.Status);
        Assert.Equal(
            TooLarge,
            cube.Change(1, "text", KeyValueChange.SetRange(long.MaxValue, "!"u8.ToArray())).Answer.Status
        );
        Assert.Equal(TooLarge, cube.Change(1, "text", KeyValueChange.SetRange(-1, "!"u8.ToArray())).Answer.Status);
        Assert.Equal(TooLarge, cube.Change(1, "text", KeyValueChange.Append(new byte[8 << 10])).Answer.Status);
        (answer, value) = cube.Change(0, "text", KeyValueChange.Exchange("new"u8.ToArray()));
        Assert.Equal((Done, 3L, "oNE, 2\0\0!"), (answer.Status, answer.Length, value));
        ulong version = cube.Get(0, "text").Answer.Version;
        KeyValueChange take = KeyValueChange.Take();
        answer = cube.Change(1, "text", take with { Condition = KeyValueCondition.Is(version + 1) }).Answer;
        Assert.Equal((Conflict, version), (answer.Status, answer.Version));
        Assert.Equal(
            (Done, "new"),
            Of(cube.Change(1, "text", take with { Condition = KeyValueCondition.Is(version) }))
        );
        Assert.Equal((NotFound, ""), Of(cube.Change(1, "text", take)));
        Assert.Equal((Done, ""), Of(cube.Change(1, "text", KeyValueChange.Exchange("newer"u8.ToArray()))));
        Assert.Equal("newer", cube.Get(1, "text").Value);
        Assert.Equal(BadKey, cube.Change(0, "", take).Answer.Status);
        Assert.Equal(BadKey, cube.Change(0, "text", default).Answer.Status);
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void What_is_on_the_disk_only_is_read_for_it_and_keeps_what_is_beside_it()
    {
        using var cube = new StoreCube(3, 1, 1, Small);
        cube.AwaitLed();
        byte[] beside = [1, 2, 3];
        KeyValueKey key = KeyValueKey.Of("text");
        cube.Cube.Await(cube[0].PutAsync(key, "old"u8.ToArray(), new KeyValuePut { Metadata = beside }));
        Assert.Equal((Done, "41"), Add(cube, "n", 41));
        for (int rank = 0; rank < 3; rank++)
        {
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
        }

        for (int rank = 0; rank < 3; rank++)
        {
            cube.Cube.Revive(cube.Cube.Shape.At(rank));
        }

        cube.Cube.AwaitConverged();
        cube.AwaitSettled();

        // A crowd at once, of which the first ones have to wait for the disk.
        ValueTask<KeyValueAnswer>[] crowd =
        [
            .. Enumerable.Range(0, 30).Select(i => cube[i % 3].ChangeAsync(KeyValueKey.Of("n"), KeyValueChange.Add(1))),
            cube[1].ChangeAsync(key, KeyValueChange.Append("er"u8.ToArray())),
        ];
        Assert.All(crowd, one => Assert.Equal(Done, cube.Cube.Await(one).Status));
        Assert.Equal("71", cube.Get(0, "n").Value);
        ArrayBufferWriter<byte> value = new(),
            metadata = new();
        cube.Cube.Await(cube[2].GetAsync(key, value: value, metadata: metadata));
        Assert.Equal(
            ("older", "1,2,3"),
            (Encoding.UTF8.GetString(value.WrittenSpan), string.Join(',', metadata.WrittenSpan.ToArray()))
        );
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void Sums_count_what_was_answered_while_servers_fail()
    {
        using var cube = new StoreCube(3, 3, 1, Small);
        cube.AwaitLed();
        const int Counters = 5;
        var random = new Random(7);
        var sums = new Dictionary<string, HashSet<long>>();
        int[] done = new int[Counters],
            unknown = new int[Counters];
        int away = -1;
        for (int round = 0; round < 40; round++)
        {
            if (round % 4 == 1)
            {
                away = 1 + random.Next(8);
                cube.Cube.Kill(cube.Cube.Shape.At(away));
            }
            else if (round % 4 == 3)
            {
                cube.Cube.Revive(cube.Cube.Shape.At(away));
                cube.Cube.AwaitConverged();
                away = -1;
            }

            List<(int Counter, ValueTask<KeyValueAnswer> Answer, ArrayBufferWriter<byte> Sum)> crowd = [];
            for (int i = 0; i < 12; i++)
            {
                int counter = random.Next(Counters),
                    rank = random.Next(9);
                var sum = new ArrayBufferWriter<byte>();
                IKeyValueStore store = cube[rank == away ? 0 : rank];
                crowd.Add(
                    (counter, store.ChangeAsync(KeyValueKey.Of($"counter {counter}"), KeyValueChange.Add(1), sum), sum)
                );

                // Others fill the log meanwhile, so that counters are on the disk only.
                cube.Put(0, $"filler {random.Next(50)}", new string('x', 1_000));
            }

            foreach ((int counter, ValueTask<KeyValueAnswer> pending, ArrayBufferWriter<byte> sum) in crowd)
            {
                KeyValueAnswer answer = cube.Cube.Await(pending);
                Assert.Contains(answer.Status, (KeyValueStatus[])[Done, Unknown, Unavailable]);
                done[counter] += answer.Status == Done ? 1 : 0;
                unknown[counter] += answer.Status == Unknown ? 1 : 0;
                if (answer.Status == Done)
                {
                    // Nobody else has this sum.
                    string name = $"counter {counter}";
                    HashSet<long> known = sums.TryGetValue(name, out HashSet<long>? found) ? found : sums[name] = [];
                    Assert.True(known.Add(long.Parse(sum.WrittenSpan)));
                }
            }
        }

        cube.AwaitSettled();
        for (int counter = 0; counter < Counters; counter++)
        {
            Assert.InRange(
                long.Parse(cube.Get(counter, $"counter {counter}").Value),
                done[counter],
                done[counter] + unknown[counter]
            );
        }

        Assert.True(unknown.Sum() < done.Sum() / 10, $"{unknown.Sum()} of {done.Sum()}");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void It_is_done_once_whoever_is_asked_again(bool leaderFails)
    {
        using var cube = new StoreCube(3, 1, 1, Small);
        cube.AwaitLed();
        RawRequest[] crowd =
        [
            .. Enumerable
                .Range(0, 12)
                .Select(i => new RawRequest("n")
                {
                    Type = i % 2 == 0 ? RequestType.Add : RequestType.SetRange,
                    By = i % 2 == 0 ? 1 : -1,
                    Value = i % 2 == 0 ? "" : "hostile",
                    Asker = i % 3,
                    Number = (ulong)i + 1,
                }),
        ];
        for (byte attempt = 1; attempt < 4; attempt++)
        {
            foreach (RawRequest request in crowd)
            {
                (request with { Attempt = attempt }).Arrive(cube);
            }

            if (leaderFails && attempt < 3)
            {
                Coordinate leader = crowd[0].LeaderIn(cube)!.Host.Store.Server;
                cube.Cube.Kill(leader);
                Assert.Equal("6", cube.Get(cube.Cube.Shape.RankOf(leader) == 0 ? 1 : 0, "n").Value);
                cube.Cube.Revive(leader);
                cube.Cube.AwaitConverged();
                cube.AwaitSettled();
            }
        }

        Assert.Equal("6", cube.Get(1, "n").Value);
    }

    private static (KeyValueStatus Status, string Value) Add(StoreCube cube, string key, long by) =>
        Of(cube.Change((int)((ulong)by % 3), key, KeyValueChange.Add(by)));

    private static (KeyValueStatus Status, string Value) Of((KeyValueAnswer Answer, string Value) said) =>
        (said.Answer.Status, said.Value);
}
