using System.Text;
using CamCube.Services.KeyValue.Wire;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Conditions and changes of keys with one tag, all or none.</summary>
public sealed class BatchTests
{
    private static readonly KeyValueOptions Small = new()
    {
        MaxValueLength = 8 << 10,
        SegmentBytes = 512 << 10,
        TailBytes = 4 << 10,
        ReplicateAfter = TimeSpan.FromSeconds(4),
        BatchSteps = 16,
        BatchBytes = 32 << 10,
    };

    [Fact]
    public void All_of_it_is_done_with_one_version_or_nothing()
    {
        using var cube = new StoreCube(3, 1, 1, Small);
        cube.AwaitLed();
        KeyValueBatchAnswer done = Apply(
            cube,
            0,
            new KeyValueBatch()
                .Put(Key("a"), Bytes("1"), new() { Condition = KeyValueCondition.Absent })
                .Put(Key("b"), Bytes("two"))
                .Change(Key("b"), KeyValueChange.Append(Bytes("!")))
                .Change(Key("n"), KeyValueChange.Add(41))
                .Change(Key("n"), KeyValueChange.Add(1))
                .Change(Key("r"), KeyValueChange.SetRange(1, Bytes("x")))
        );
        Assert.Equal((Done, -1, 3), (done.Status, done.Failed, done.Copies));
        string[] values = ["1", "two!", "42", "\0x"];
        Assert.Equal(values, new[] { "a", "b", "n", "r" }.Select(k => Get(cube, 1, k)));
        Assert.All(new[] { "a", "b", "n", "r" }, k => Assert.Equal(done.Version, cube.Get(2, Name(k)).Answer.Version));

        // The first condition that does not hold, of what is there before.
        KeyValueBatchAnswer no = Apply(
            cube,
            1,
            new KeyValueBatch()
                .If(Key("a"), KeyValueCondition.Is(done.Version))
                .Put(Key("new"), Bytes("no"))
                .Put(Key("b"), Bytes("no"), new() { Condition = KeyValueCondition.Absent })
                .If(Key("new"), KeyValueCondition.Present)
        );
        Assert.Equal((Conflict, done.Version, 2), (no.Status, no.Version, no.Failed));
        no = Apply(cube, 2, new KeyValueBatch().Delete(Key("a")).If(Key("new"), KeyValueCondition.Present));
        Assert.Equal((Conflict, 0UL, 1), (no.Status, no.Version, no.Failed));
        no = Apply(cube, 0, new KeyValueBatch().Delete(Key("a")).Change(Key("b"), KeyValueChange.Add(1)));
        Assert.Equal((NotANumber, done.Version, 1), (no.Status, no.Version, no.Failed));
        no = Apply(cube, 0, new KeyValueBatch().Delete(Key("a")).Change(Key("n"), KeyValueChange.Add(long.MaxValue)));
        Assert.Equal((Overflow, 1), (no.Status, no.Failed));
        no = Apply(cube, 0, new KeyValueBatch().Delete(Key("a")).Change(Key("a"), KeyValueChange.Expire(null)));
        Assert.Equal((NotFound, 1), (no.Status, no.Failed));
        no = Apply(
            cube,
            0,
            new KeyValueBatch().Delete(Key("a")).Change(Key("b"), KeyValueChange.SetRange(8 << 10, Bytes("x")))
        );
        Assert.Equal((TooLarge, done.Version, 1), (no.Status, no.Version, no.Failed));
        Assert.Equal(values, new[] { "a", "b", "n", "r" }.Select(k => Get(cube, 1, k)));

        // A delete of what is not there is no reason against it.
        KeyValueBatchAnswer then = Apply(
            cube,
            2,
            new KeyValueBatch().Delete(Key("a")).Delete(Key("never")).Put(Key("b"), Bytes("3")).Delete(Key("b"))
        );
        Assert.Equal(Done, then.Status);
        Assert.True(then.Version > done.Version);
        Assert.All(new[] { "a", "b", "never" }, k => Assert.Equal(NotFound, cube.Get(0, Name(k)).Answer.Status));
        Assert.Equal("42", Get(cube, 0, "n"));
        cube.Cube.AssertQuiet();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void One_of_conditions_alone_says_whether_all_hold_and_writes_nothing(bool hasLeases)
    {
        using var cube = new StoreCube(
            3,
            1,
            1,
            new KeyValueOptions
            {
                MaxValueLength = 8 << 10,
                SegmentBytes = 512 << 10,
                Mode = hasLeases ? "reads=lease" : "",
            }
        );
        cube.AwaitLed();
        ulong version = Apply(cube, 0, new KeyValueBatch().Put(Key("a"), Bytes("1")).Put(Key("b"), Bytes("2"))).Version;
        ulong[] before = Indices();
        for (int rank = 0; rank < 3; rank++)
        {
            KeyValueBatchAnswer yes = Apply(
                cube,
                rank,
                new KeyValueBatch()
                    .If(Key("a"), KeyValueCondition.Is(version))
                    .If(Key("b"), KeyValueCondition.Present)
                    .If(Key("none"), KeyValueCondition.Absent)
            );
            Assert.Equal((Done, -1), (yes.Status, yes.Failed));
        }

        // Where it is decided itself; a refusal that comes over a cable is an entry.
        Assert.Equal(before.Length, before.Zip(Indices()).Count(pair => pair.Second - pair.First <= 3));
        KeyValueBatchAnswer no = Apply(
            cube,
            1,
            new KeyValueBatch().If(Key("a"), KeyValueCondition.Present).If(Key("b"), KeyValueCondition.Absent)
        );
        Assert.Equal((Conflict, version, 1), (no.Status, no.Version, no.Failed));
        Assert.Equal("1", Get(cube, 2, "a"));
        cube.Cube.AssertQuiet();

        ulong[] Indices() => [.. cube[0].ListGroups().Select(group => group.Last)];
    }

    [Fact]
    public void What_cannot_be_one_is_refused_before_anything_is_sent()
    {
        using var cube = new StoreCube(3, 1, 1, Small);
        cube.AwaitLed();
        Assert.Equal(
            (CrossGroup, 1),
            Refused(new KeyValueBatch().Put(Key("a"), Bytes("1")).Put(KeyValueKey.Of("{other}a"), Bytes("1")))
        );
        Assert.Equal((CrossGroup, 1), Refused(new KeyValueBatch().Put(Key("a"), default).Delete(new("x"u8.ToArray()))));
        Assert.Equal(
            (CrossGroup, 1),
            Refused(new KeyValueBatch().Put(Key("a"), default).Delete(Key("a") with { Table = 1 }))
        );
        Assert.Equal((BadKey, -1), Refused(new KeyValueBatch()));
        Assert.Equal((BadKey, 0), Refused(new KeyValueBatch().Delete(default)));
        Assert.Equal((BadKey, 0), Refused(new KeyValueBatch().Delete(Key("a") with { Table = 16 })));
        Assert.Equal((TooLarge, 0), Refused(new KeyValueBatch().Delete(new(new byte[65_536]))));
        Assert.Equal((TooLarge, 0), Refused(new KeyValueBatch().Put(Key("a"), new byte[(8 << 10) + 1])));
        Assert.Equal(
            (TooLarge, 0),
            Refused(new KeyValueBatch().Put(Key("a"), default, new() { Metadata = new byte[4_097] }))
        );
        var many = new KeyValueBatch();
        var large = new KeyValueBatch();
        for (int i = 0; i < 17; i++)
        {
            many.Put(Key($"{i}"), default);
            large.Put(Key($"{i}"), new byte[8_000]);
        }

        Assert.Equal((TooLarge, 16), Refused(many));
        Assert.Equal((TooLarge, 4), Refused(large));
        Assert.Throws<ArgumentException>(() => new KeyValueBatch().Change(Key("a"), KeyValueChange.Take()));

        // What comes out is looked at where it is worked out.
        for (int i = 0; i < 5; i++)
        {
            Assert.Equal(Done, cube.Put(0, Name($"long {i}"), new string('x', 8_000)).Status);
        }

        var longer = new KeyValueBatch();
        for (int i = 0; i < 5; i++)
        {
            longer.Change(Key($"long {i}"), KeyValueChange.Append(Bytes("y")));
        }

        KeyValueBatchAnswer no = Apply(cube, 1, longer);
        Assert.Equal((TooLarge, 4), (no.Status, no.Failed));
        Assert.Equal(8_000, Get(cube, 2, "long 0").Length);
        cube.Cube.AssertQuiet();

        (KeyValueStatus, int) Refused(KeyValueBatch batch)
        {
            ValueTask<KeyValueBatchAnswer> asked = cube[0].ApplyAsync(batch);
            Assert.True(asked.IsCompletedSuccessfully);
            return (asked.Result.Status, asked.Result.Failed);
        }
    }

    [Fact]
    public void Keys_of_one_are_waited_for_listed_ended_and_read_from_the_disk_like_others()
    {
        using var cube = new StoreCube(3, 1, 1, Small);
        cube.AwaitLed();
        ValueTask<KeyValueAnswer> first = cube[1].WaitAsync(Key("a"), 0, TimeSpan.FromSeconds(20)),
            second = cube[2].WaitAsync(Key("b"), 0, TimeSpan.FromSeconds(20));
        byte[] beside = [1, 2, 3];
        KeyValueBatchAnswer done = Apply(
            cube,
            0,
            new KeyValueBatch()
                .Put(Key("a"), Bytes("5"), new() { Metadata = beside })
                .Put(Key("b"), Bytes("ends"), new() { Expires = TimeSpan.FromSeconds(30) })
        );
        Assert.Equal(done.Version, cube.Cube.Await(first).Version);
        Assert.Equal(done.Version, cube.Cube.Await(second).Version);
        for (int times = 0; times < 2; times++)
        {
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
            Assert.Equal(["{t}a", "{t}b"], cube.List(times, "{t}", 10).Keys.Order(StringComparer.Ordinal));
        }

        // Its values lie on the disk only.
        KeyValueBatchAnswer more = Apply(
            cube,
            2,
            new KeyValueBatch()
                .Change(Key("a"), KeyValueChange.Add(2))
                .Change(Key("b"), KeyValueChange.Append(Bytes(" soon")))
        );
        Assert.Equal(Done, more.Status);
        Assert.Equal(("7", "ends soon"), (Get(cube, 0, "a"), Get(cube, 1, "b")));
        var metadata = new System.Buffers.ArrayBufferWriter<byte>();
        cube.Cube.Await(cube[0].GetAsync(Key("a"), metadata: metadata));
        Assert.Equal(beside, metadata.WrittenSpan.ToArray());
        cube.Cube.Advance(TimeSpan.FromSeconds(32));
        Assert.Equal(NotFound, cube.Get(0, Name("b")).Answer.Status);
        Assert.Equal("7", Get(cube, 2, "a"));
        cube.Cube.AssertQuiet();
    }

    // Money goes from account to account, some of it twice asked; a hostile server asks for what is none.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void In_a_crowd_nothing_is_lost_or_made_while_servers_fail(int seed)
    {
        using var cube = new StoreCube(3, 2, 1, Small);
        cube.AwaitLed();
        const int Accounts = 4,
            Tags = 3;
        for (int tag = 0; tag < Tags; tag++)
        {
            var open = new KeyValueBatch();
            for (int i = 0; i < Accounts; i++)
            {
                open.Put(Account(tag, i), Bytes("100"));
            }

            Assert.Equal(Done, Apply(cube, tag, open).Status);
        }

        var random = new Random(seed);
        int away = -1,
            moved = 0;
        for (int round = 0; round < 24; round++)
        {
            if (round % 4 == 1)
            {
                away = 1 + random.Next(5);
                cube.Cube.Kill(cube.Cube.Shape.At(away));
            }
            else if (round % 4 == 3)
            {
                cube.Cube.Revive(cube.Cube.Shape.At(away), emptyDisk: random.Next(3) == 0);
                cube.Cube.AwaitConverged();
                away = -1;
            }

            List<ValueTask<KeyValueBatchAnswer>> crowd = [];
            for (int i = 0; i < 12; i++)
            {
                int tag = random.Next(Tags),
                    from = random.Next(Accounts),
                    to = (from + 1 + random.Next(Accounts - 1)) % Accounts,
                    rank = random.Next(6),
                    sum = random.Next(20);
                crowd.Add(
                    cube[rank == away ? 0 : rank]
                        .ApplyAsync(
                            new KeyValueBatch()
                                .Change(Account(tag, from), KeyValueChange.Add(-sum))
                                .Change(Account(tag, to), KeyValueChange.Add(sum))
                                .Put(KeyValueKey.Of($"{{{tag}}}filler {i}"), new byte[random.Next(3_000)])
                        )
                );
                Hostile(random, tag).Arrive(cube);
            }

            foreach (ValueTask<KeyValueBatchAnswer> one in crowd)
            {
                KeyValueBatchAnswer answer = cube.Cube.Await(one);
                Assert.True(answer.Status is Done or Unknown or Unavailable, $"{answer}");
                moved += answer.Status == Done ? 1 : 0;
            }

            for (int tag = 0; tag < Tags; tag++)
            {
                Assert.Equal(100 * Accounts, SumOf(cube, tag));
            }
        }

        Assert.True(moved > 200, $"{moved}");
        cube.AwaitSettled();
        for (int rank = 0; rank < 6; rank++)
        {
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
        }

        for (int rank = 0; rank < 6; rank++)
        {
            cube.Cube.Revive(cube.Cube.Shape.At(rank));
        }

        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        Assert.All(Enumerable.Range(0, Tags), tag => Assert.Equal(100 * Accounts, SumOf(cube, tag)));
        cube.Cube.AssertQuiet();

        int SumOf(StoreCube store, int tag) =>
            Enumerable.Range(0, Accounts).Sum(i => int.Parse(store.Get(0, $"{{{tag}}}account {i}").Value));
    }

    [Fact]
    public void Asked_for_again_it_is_done_once_whoever_leads()
    {
        using var cube = new StoreCube(3, 1, 1, Small);
        cube.AwaitLed();
        RawRequest add = Raw(new KeyValueBatch().Change(Key("n"), KeyValueChange.Add(1)).Put(Key("m"), Bytes("1")), 1);
        RawRequest no = Raw(
            new KeyValueBatch().If(Key("x"), KeyValueCondition.Present).Put(Key("m"), Bytes("no")),
            2
        ) with
        {
            Attempt = 2,
        };
        add.Arrive(cube);
        no.Arrive(cube);
        cube.Put(0, Name("x"), "there");
        for (int failing = 0; failing < 3; failing++)
        {
            (add with { Attempt = 2 }).Arrive(cube);
            no.Arrive(cube);
            Assert.Equal(("1", "1"), (Get(cube, 0, "n"), Get(cube, 0, "m")));
            cube.Cube.Kill(cube.Cube.Shape.At(failing));
            (add with { Attempt = 3 }).Arrive(cube);
            no.Arrive(cube);
            cube.Cube.Revive(cube.Cube.Shape.At(failing));
            cube.Cube.AwaitConverged();
            cube.AwaitSettled();
        }

        Assert.Equal(("1", "1"), (Get(cube, 0, "n"), Get(cube, 0, "m")));
    }

    [Fact]
    public void Packets_of_it_that_are_cut_or_forged_are_none()
    {
        RawRequest right = Raw(
            new KeyValueBatch()
                .Put(Key("a"), Bytes("1"), new() { Metadata = new byte[3] })
                .Change(Key("b"), KeyValueChange.Add(1)),
            1
        );
        byte[] bytes = right.Content!;
        Assert.NotNull(BatchFormat.Read(0, Key("a").Bytes.Span, bytes));
        for (int length = 0; length < bytes.Length; length++)
        {
            Assert.Null(BatchFormat.Read(0, Key("a").Bytes.Span, bytes.AsSpan(0, length)));
        }

        Assert.Null(BatchFormat.Read(0, Key("a").Bytes.Span, [.. bytes, 0]));
        Assert.Null(BatchFormat.Read(0, "other"u8, bytes));
        Assert.Null(BatchFormat.Read(0, default, bytes));
        var random = new Random(1);
        for (int i = 0; i < 10_000; i++)
        {
            byte[] forged = [.. bytes];
            forged[random.Next(forged.Length)] = (byte)random.Next(256);
            if (BatchFormat.Read(0, Key("a").Bytes.Span, forged) is { } steps)
            {
                Assert.All(steps, s => Assert.StartsWith("{t}", Encoding.UTF8.GetString(s.Key.Bytes.Span)));
            }
        }
    }

    private static RawRequest Hostile(Random random, int tag)
    {
        var batch = new KeyValueBatch();
        for (int i = random.Next(1, 40); i > 0; i--)
        {
            batch.Put(KeyValueKey.Of($"{{{tag}}}hostile {i % 5}"), new byte[random.Next(12_000)]);
        }

        return Raw(batch, (ulong)random.Next(100)) with
        {
            Key = Encoding.UTF8.GetString(batch.Steps[0].Key.Bytes.Span),
            Asker = 5,
            Run = (ulong.MaxValue / 2) + (ulong)random.Next(3),
            Attempt = (byte)random.Next(256),
        };
    }

    private static RawRequest Raw(KeyValueBatch batch, ulong number)
    {
        var writer = new Coding.WireWriter();
        BatchFormat.Write(writer, batch.Steps);
        return new RawRequest(Encoding.UTF8.GetString(batch.Steps[0].Key.Bytes.Span))
        {
            Type = RequestType.Batch,
            Content = writer.Written.ToArray(),
            Number = number,
        };
    }

    private static KeyValueBatchAnswer Apply(StoreCube cube, int rank, KeyValueBatch batch) =>
        cube.Cube.Await(cube[rank].ApplyAsync(batch));

    private static string Get(StoreCube cube, int rank, string key) => cube.Get(rank, Name(key)).Value;

    private static string Name(string key) => $"{{t}}{key}";

    private static KeyValueKey Key(string key) => KeyValueKey.Of(Name(key));

    private static KeyValueKey Account(int tag, int number) => KeyValueKey.Of($"{{{tag}}}account {number}");

    private static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);
}
