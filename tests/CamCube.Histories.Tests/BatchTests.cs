using CamCube.Histories.Checking;

namespace CamCube.Histories.Tests;

/// <summary>Batches in histories: all at one moment, or nothing.</summary>
public sealed class BatchTests
{
    private static readonly string[] Keys = ["a", "b", "c"];

    [Fact]
    public void A_batch_that_others_see_as_a_whole_is_right()
    {
        HistoryOperation[] history =
        [
            .. Batch(1, 10, 50, 5, "a", "b"),
            Read("a", null, 0, 11, 20),
            Read("b", "b1", 5, 12, 30),
            Read("a", "a1", 5, 21, 40),
        ];
        Assert.True(LinearizabilityChecker.Check(history).IsLinearizable);
        Assert.True(EveryOrderOfBatches.IsLinearizable(history));
    }

    [Fact]
    public void One_of_which_somebody_sees_a_part_and_then_not_the_other_is_wrong()
    {
        HistoryOperation[] history =
        [
            Put("a", "old", 3, 1, 2),
            .. Batch(1, 10, 50, 5, "a", "b"),
            Read("b", "b1", 5, 12, 20),
            Read("a", "old", 3, 21, 40),
        ];
        HistoryVerdict verdict = LinearizabilityChecker.Check(history);
        Assert.False(verdict.IsLinearizable);
        Assert.NotNull(verdict.Unexplained);
        Assert.False(EveryOrderOfBatches.IsLinearizable(history));
        Assert.Contains(Contradiction.Of(history, verdict), static o => o.Batch == 1);

        // Apart they are right.
        Assert.True(LinearizabilityChecker.Check([.. history.Select(static o => o with { Batch = 0 })]).IsLinearizable);
    }

    [Fact]
    public void One_whose_end_nobody_knows_is_done_as_a_whole_if_somebody_has_seen_a_part()
    {
        HistoryOperation[] open = [.. Batch(1, 10, 0, 0, "a", "b").Select(static o => o with { Answer = default })];
        HistoryOperation[] right = [.. open, Read("a", null, 0, 60, 70), Read("b", null, 0, 80, 90)];
        HistoryOperation[] wrong = [.. open, Read("a", "a1", 7, 60, 70), Read("b", null, 0, 80, 90)];
        Assert.True(LinearizabilityChecker.Check(right).IsLinearizable);
        Assert.True(EveryOrderOfBatches.IsLinearizable(right));
        Assert.False(LinearizabilityChecker.Check(wrong).IsLinearizable);
        Assert.False(EveryOrderOfBatches.IsLinearizable(wrong));
    }

    [Fact]
    public void A_condition_that_held_is_of_the_moment_of_its_batch()
    {
        // b had version 3 until 4 replaced it, before anybody began the batch that says it had 3.
        HistoryOperation condition = new()
        {
            Key = "b",
            Kind = HistoryKind.Put,
            Value = "none",
            IfVersion = 0,
            Answer = HistoryAnswer.Conflict,
            Version = 3,
            Batch = 1,
            Begin = 10,
            End = 50,
        };
        HistoryOperation[] history =
        [
            Put("b", "x", 3, 1, 2),
            Put("b", "y", 4, 5, 40),
            .. Batch(1, 10, 50, 6, "a"),
            condition,
        ];
        Assert.False(LinearizabilityChecker.Check(history).IsLinearizable);
        Assert.False(EveryOrderOfBatches.IsLinearizable(history));
        HistoryOperation[] later = [.. history.Select(static o => o.Version == 4 ? o with { Version = 7 } : o)];
        Assert.True(LinearizabilityChecker.Check(later).IsLinearizable);
        Assert.True(EveryOrderOfBatches.IsLinearizable(later));
    }

    // Half of the drawn stores do some batches in two steps. What is good is never called bad; what is bad is found
    // unless it is in what is not looked at: that a key is not there, and changes without a version.
    [Fact]
    public void It_says_what_every_order_says()
    {
        int wrong = 0,
            hidden = 0;
        for (int seed = 0; seed < 12_000; seed++)
        {
            HistoryOperation[] history = Draw(new Random(seed), hasTears: seed % 2 == 0, hasUnknown: seed % 3 == 0);
            bool isRight = EveryOrderOfBatches.IsLinearizable(history);
            bool? isSaid = LinearizabilityChecker.Check(history).IsLinearizable;
            bool isAllSeen = history.All(static o => o.Answer is HistoryAnswer.Done or HistoryAnswer.Conflict);
            Assert.True(isSaid == isRight || (!isRight && !isAllSeen), $"seed {seed}: {isSaid}, not {isRight}");
            wrong += isRight ? 0 : 1;
            hidden += isSaid == isRight ? 0 : 1;
        }

        TestContext.Current.TestOutputHelper!.WriteLine($"{wrong} wrong, {hidden} of them not seen");
        Assert.InRange(wrong, 100, 8_000);
        Assert.InRange(hidden, 0, wrong / 4);
    }

    // Three keys that are there from the beginning, three clients, a clock that moves between any two things.
    private static HistoryOperation[] Draw(Random random, bool hasTears, bool hasUnknown)
    {
        Dictionary<string, (string Value, ulong Version)> store = [];
        List<HistoryOperation> history = [];
        ulong version = 0;
        long clock = 1;
        foreach (string key in Keys)
        {
            history.Add(Put(key, $"{key}0", ++version, clock++, clock++));
            store[key] = ($"{key}0", version);
        }

        long[] free = [clock, clock, clock];
        List<(long At, Action Do)> later = [];
        for (int i = 1; i <= 6; i++)
        {
            int client = random.Next(3);
            long begin = Math.Max(clock, free[client] + 1),
                happens = begin + random.Next(12),
                end = happens + random.Next(12),
                number = i;
            clock = begin + random.Next(3);
            free[client] = end;
            string[] keys = [.. Keys.OrderBy(_ => random.Next()).Take(random.Next(5) == 0 ? 3 : 2)];
            bool isBatch = random.Next(5) < 2,
                isUnknown = hasUnknown && random.Next(3) == 0,
                isDelete = random.Next(6) == 0;
            long other = hasTears && random.Next(4) > 0 ? happens + random.Next(-20, 21) : happens;
            other = Math.Clamp(other, begin, end);
            if (!isBatch)
            {
                later.Add((happens, () => history.Add(Look(store, keys[0], begin, end))));
                continue;
            }

            ulong[] own = [0];
            HistoryAnswer answer = isUnknown ? HistoryAnswer.Unknown : HistoryAnswer.Done;
            for (int k = 0; k < keys.Length; k++)
            {
                string key = keys[k];
                bool isGone = isDelete && k == 0;
                later.Add(
                    (
                        k == 0 ? other : happens,
                        () =>
                        {
                            own[0] = own[0] == 0 ? ++version : own[0];
                            if (isGone && !store.Remove(key))
                            {
                                return;
                            }

                            if (!isGone)
                            {
                                store[key] = ($"{key}{number}", own[0]);
                            }

                            history.Add(
                                new HistoryOperation
                                {
                                    Key = key,
                                    Kind = isGone ? HistoryKind.Delete : HistoryKind.Put,
                                    Value = isGone ? null : $"{key}{number}",
                                    Batch = number,
                                    Begin = begin,
                                    End = isUnknown ? 0 : end,
                                    Answer = answer,
                                    Version = isUnknown ? 0 : own[0],
                                }
                            );
                        }
                    )
                );
            }
        }

        foreach ((_, Action act) in later.OrderBy(static l => l.At).ToArray())
        {
            act();
        }

        return [.. history];
    }

    private static HistoryOperation Look(
        Dictionary<string, (string Value, ulong Version)> store,
        string key,
        long begin,
        long end
    ) =>
        store.TryGetValue(key, out (string Value, ulong Version) found)
            ? Read(key, found.Value, found.Version, begin, end)
            : Read(key, null, 0, begin, end);

    private static IEnumerable<HistoryOperation> Batch(
        long number,
        long begin,
        long end,
        ulong version,
        params string[] keys
    ) => keys.Select(key => Put(key, $"{key}{number}", version, begin, end) with { Batch = number });

    private static HistoryOperation Put(string key, string value, ulong version, long begin, long end) =>
        new()
        {
            Key = key,
            Kind = HistoryKind.Put,
            Value = value,
            Version = version,
            Answer = HistoryAnswer.Done,
            Begin = begin,
            End = end,
        };

    private static HistoryOperation Read(string key, string? value, ulong version, long begin, long end) =>
        new()
        {
            Key = key,
            Kind = HistoryKind.Get,
            Value = value,
            Version = version,
            Answer = value is null ? HistoryAnswer.NotFound : HistoryAnswer.Done,
            Begin = begin,
            End = end,
        };
}
