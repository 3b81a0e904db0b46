using CamCube.Histories.Checking;

namespace CamCube.Histories.Tests;

/// <summary>Verdicts that are known.</summary>
public sealed class LinearizabilityCheckerTests
{
    [Theory]
    // A get sees a put that is over, and may see one that is open.
    [InlineData(true, "put a 0 10 done 1", "get a 20 30 done 1")]
    [InlineData(false, "put a 0 10 done 1", "get - 20 30 notFound")]
    [InlineData(true, "put a 0 10 done 1", "get - 5 30 notFound")]
    [InlineData(true, "put a 0 100 done 1", "get a 10 20 done 1", "get a 30 40 done 1")]
    [InlineData(false, "put a 0 100 done 1", "get a 10 20 done 1", "get - 30 40 notFound")]
    // Not one after the other, and not from nowhere.
    [InlineData(false, "put a 0 10 done 1", "put b 20 30 done 2", "get a 40 50 done 1")]
    [InlineData(false, "put a 0 10 done 1", "get b 20 30 done 1")]
    [InlineData(false, "put a 0 10 done 2", "put b 20 30 done 1")]
    [InlineData(false, "put a 0 10 done 1", "put b 20 30 done 1")]
    [InlineData(false, "put a 0 10 done 1", "get a 20 30 done 2")]
    // Once or never, however late, but not twice.
    [InlineData(true, "put a 0 - unknown", "get - 1000 1010 notFound")]
    [InlineData(true, "put a 0 - unknown", "get - 1000 1010 notFound", "get a 2000 2010 done 7")]
    [InlineData(false, "put a 0 - unknown", "get a 1000 1010 done 7", "get - 2000 2010 notFound")]
    [InlineData(false, "put a 0 - unknown", "put b 100 110 done 5", "get a 200 210 done 3")]
    [InlineData(
        false,
        "put a 0 - unknown",
        "get a 100 110 done 3",
        "put b 200 210 done 5",
        "get b 300 310 done 5",
        "get a 400 410 done 7"
    )]
    [InlineData(false, "put a 0 10 unavailable", "get a 20 30 done 1")]
    [InlineData(false, "get a 0 10 done 3", "put a 20 - unknown")]
    // Who puts only if nobody was there, and who replaces what was seen.
    [InlineData(true, "put a 0 10 done 1 if0", "put b 5 20 conflict 1 if0")]
    [InlineData(false, "put a 0 10 done 1 if0", "put b 5 20 done 2 if0")]
    [InlineData(true, "put a 0 10 done 1", "put b 20 30 done 2 if1", "put c 20 30 conflict 2 if1")]
    [InlineData(false, "put a 0 10 done 1", "put b 20 30 done 2 if1", "put c 20 30 done 3 if1")]
    [InlineData(false, "put a 0 10 done 1", "put b 20 30 conflict 1 if1")]
    [InlineData(true, "put a 0 10 done 1", "put b 20 - unknown if1", "put c 30 40 conflict 0 if1")]
    [InlineData(true, "put a 0 - unknown", "put b 20 30 done 9 if4", "get b 40 50 done 9")]
    [InlineData(false, "put a 0 - unknown", "put b 20 30 done 9 if4", "put c 40 50 done 10 if4")]
    // What nobody saw may yet be what is in the way.
    [InlineData(true, "put a 0 - unknown", "put b 20 30 conflict 0 if0")]
    [InlineData(true, "put a 0 10 done 1", "delete - 20 - unknown", "delete - 30 40 notFound", "get - 50 60 notFound")]
    [InlineData(true, "put a 0 10 done 1", "delete - 20 30 done 2", "get - 40 50 notFound", "put b 60 70 done 3 if0")]
    [InlineData(false, "put a 0 10 done 1", "delete - 20 30 done 2", "get a 40 50 done 1")]
    [InlineData(false, "delete - 0 10 done 1")]
    // Who puts only if somebody was there.
    [InlineData(false, "put a 0 10 done 1 present")]
    [InlineData(true, "put a 0 10 conflict 0 present", "put b 20 30 done 1", "put c 40 50 done 2 present")]
    [InlineData(false, "put a 0 10 done 1", "put b 20 30 conflict 0 present")]
    [InlineData(false, "put a 0 - unknown present", "get a 20 30 done 1")]
    [InlineData(true, "put a 0 - unknown present", "put b 20 30 done 1", "get a 40 50 done 2")]
    [InlineData(true, "put a 0 10 done 1", "delete - 20 30 done 2 present", "delete - 40 50 conflict 0 present")]
    public void Of_those_written_by_hand_each_is_as_it_is(bool expected, params string[] lines)
    {
        HistoryOperation[] history = [.. lines.Select(Parse)];
        HistoryVerdict verdict = LinearizabilityChecker.Check(history);
        Assert.Equal(expected, verdict.IsLinearizable);
        Assert.Equal(expected, verdict.Unexplained is null);
        Assert.Equal(
            expected,
            EveryOrder.IsLinearizable([.. history.Where(h => h.Answer != HistoryAnswer.Unavailable)])
        );
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void What_every_order_says_is_said(int seed)
    {
        (int good, int bad) = Compare(
            seed,
            (random, round) =>
                new HistoryMaker(random)
                {
                    PercentUnknown = random.Next(50),
                    PercentSilent = random.Next(60),
                    PercentPresent = round % 2 * 30,
                }
        );
        Assert.InRange(good, 100, 400);
        Assert.InRange(bad, 100, 400);
    }

    [Theory]
    [InlineData(11)]
    [InlineData(12)]
    [InlineData(13)]
    public void What_every_order_says_of_losses_is_said(int seed)
    {
        (int good, int bad) = Compare(
            seed,
            (random, _) => new HistoryMaker(random) { PercentUnknown = random.Next(50), PercentLoss = random.Next(50) }
        );
        Assert.InRange(good, 100, 450);
        Assert.InRange(bad, 50, 400);
    }

    [Theory]
    [InlineData(21)]
    [InlineData(22)]
    [InlineData(23)]
    public void What_every_order_says_of_what_was_replaced_is_said(int seed)
    {
        (int good, int bad) = Compare(
            seed,
            (random, round) =>
                new HistoryMaker(random)
                {
                    PercentUnknown = random.Next(50),
                    PercentConditional = 10,
                    PercentOver = 60,
                    PercentSilent = round % 2 == 0 ? 100 : 30,
                }
        );
        Assert.InRange(good, 100, 450);
        Assert.InRange(bad, 50, 400);
    }

    // Two compare and set from one value, and both are told that they did: the classical lost update.
    [Fact]
    public void One_value_is_replaced_once()
    {
        HistoryOperation first = Parse("put a 0 1 done"),
            one = Parse("put b 2 9 done") with { IfValue = "a" },
            other = Parse("put c 3 8 done") with { IfValue = "a" };
        Assert.True(LinearizabilityChecker.Check([first, one]).IsLinearizable);
        Assert.False(LinearizabilityChecker.Check([first, one, other]).IsLinearizable);

        // Of one whose end nobody knows, it was that one which was not.
        Assert.True(
            LinearizabilityChecker.Check([first, one, other with { Answer = HistoryAnswer.Unknown }]).IsLinearizable
        );

        // What was replaced was there, also if nobody else saw it, and nobody knows how its put ended.
        HistoryOperation open = Parse("put a 0 - unknown");
        Assert.True(LinearizabilityChecker.Check([open, one]).IsLinearizable);
        Assert.False(LinearizabilityChecker.Check([open with { Begin = 10 }, one]).IsLinearizable);
        Assert.False(LinearizabilityChecker.Check([one]).IsLinearizable);
    }

    // A value that ends by itself: a delete of it alone, not before its time, and perhaps never.
    [Fact]
    public void A_value_that_expires_is_gone_not_before_its_time_and_does_not_come_back()
    {
        HistoryOperation put = Parse("put a 0 1 done"),
            end = Parse("delete - 100 - unknown") with { IfValue = "a" };
        bool? check(params string[] reads) =>
            LinearizabilityChecker.Check([put, end, .. reads.Select(Parse)]).IsLinearizable;
        Assert.True(check("get a 90 99 done", "get - 101 102 notfound"));
        Assert.True(check("get a 500 501 done"));
        Assert.False(check("get - 50 60 notfound"));
        Assert.False(check("get - 101 102 notfound", "get a 103 104 done"));
        Assert.True(check("put b 10 11 done", "get b 300 301 done"));
        Assert.False(check("put b 10 11 done", "get - 300 301 notfound"));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void What_a_crowd_sees_of_a_store_that_loses_is_explained(int seed)
    {
        var maker = new HistoryMaker(new Random(seed)) { PercentUnknown = 5, PercentLoss = 1 };
        List<HistoryOperation> history = maker.Make(20_000, 50, 20);
        Assert.True(LinearizabilityChecker.Check(history).IsLinearizable);

        // Without the losses nothing explains it.
        history.RemoveAll(static o => o.Kind == HistoryKind.Loss);
        Assert.False(LinearizabilityChecker.Check(history).IsLinearizable);
    }

    [Theory]
    [InlineData(1, 0, 20_000, 20)]
    [InlineData(2, 5, 20_000, 20)]
    [InlineData(3, 30, 20_000, 20)]
    [InlineData(4, 5, 20_000, 1)]
    [InlineData(5, 2, 100_000, 100)]
    public void What_a_crowd_sees_of_a_true_store_is_explained(int seed, int percentUnknown, int operations, int keys)
    {
        var maker = new HistoryMaker(new Random(seed)) { PercentUnknown = percentUnknown };
        List<HistoryOperation> history = maker.Make(operations, 50, keys);
        HistoryVerdict verdict = LinearizabilityChecker.Check(history);
        Assert.True(verdict.IsLinearizable, $"{verdict}");

        // Whoever is looked for is behind all those of the key whose end is not known.
        Assert.InRange(verdict.Steps, 1, operations * (100 + ((long)percentUnknown * operations / keys / 100)) * 3);
    }

    [Fact]
    public void One_old_value_among_many_is_found_and_named()
    {
        for (int seed = 0; seed < 12; seed++)
        {
            var random = new Random(seed);
            List<HistoryOperation> history = new HistoryMaker(random) { PercentUnknown = 3 }.Make(2_000, 10, 3);
            HistoryOperation[] puts =
            [
                .. history.Where(o => o is { Kind: HistoryKind.Put, Answer: HistoryAnswer.Done }).OrderBy(o => o.End),
            ];
            HistoryOperation old = puts[random.Next(puts.Length / 2)],
                later = puts.First(p => p.Key == old.Key && p.Begin > old.End);
            history.Add(
                old with
                {
                    Kind = HistoryKind.Get,
                    IfVersion = null,
                    Client = 99,
                    Begin = later.End + 1,
                    End = later.End + 20,
                }
            );
            HistoryVerdict verdict = LinearizabilityChecker.Check(history);
            Assert.False(verdict.IsLinearizable);
            Assert.Equal(old.Key, verdict.Key);
            Assert.NotNull(verdict.Unexplained);
        }
    }

    [Fact]
    public void What_takes_too_long_is_not_decided()
    {
        List<HistoryOperation> history = new HistoryMaker(new Random(1)).Make(1_000, 10, 1);
        HistoryVerdict verdict = LinearizabilityChecker.Check(history, mostSteps: 100);
        Assert.Null(verdict.IsLinearizable);
        Assert.Equal("key 0", verdict.Key);
        Assert.True(LinearizabilityChecker.Check([]).IsLinearizable);
    }

    // Histories of few operations, some of which are spoilt: how many are good and bad, as both say.
    private static (int Good, int Bad) Compare(int seed, Func<Random, int, HistoryMaker> makerOf)
    {
        var random = new Random(seed);
        int good = 0,
            bad = 0;
        for (int round = 0; round < 500; round++)
        {
            HistoryMaker maker = makerOf(random, round);
            List<HistoryOperation> history = maker.Make(1 + random.Next(6), 1 + random.Next(5), 1);
            for (int spoilt = random.Next(6); spoilt > 0; spoilt--)
            {
                int at = random.Next(history.Count);
                history[at] = Spoil(history[at], random);
            }

            bool expected = EveryOrder.IsLinearizable(history);
            bool? said = LinearizabilityChecker.Check(history).IsLinearizable;
            Assert.True(expected == said, $"{said}, and every order says {expected}:\n{string.Join('\n', history)}");
            (good, bad) = expected ? (good + 1, bad) : (good, bad + 1);
        }

        return (good, bad);
    }

    private static HistoryOperation Spoil(HistoryOperation one, Random random) =>
        random.Next(5) switch
        {
            0 => one with { Version = (ulong)random.Next(6) },
            1 => one with { Begin = one.Begin - random.Next(200) },
            2 => one with { End = one.End + random.Next(200) },
            3 when one.Kind == HistoryKind.Get && one.Answer == HistoryAnswer.Done => one with
            {
                Value = $"value {random.Next(7)}",
            },
            4 when one.IfValue is not null => one with { IfValue = $"value {random.Next(7)}" },
            3 when one.Kind != HistoryKind.Get => one with { IfVersion = (ulong)random.Next(4) },
            _ => one with { Begin = one.Begin + 150, End = one.End + 150 },
        };

    // What, value, begin, end, answer, version, and a condition.
    private static HistoryOperation Parse(string line)
    {
        string[] words = line.Split(' ');
        return new HistoryOperation
        {
            Key = "key",
            Kind = Enum.Parse<HistoryKind>(words[0], ignoreCase: true),
            Value = words[1] == "-" ? null : words[1],
            Begin = long.Parse(words[2]),
            End = words[3] == "-" ? 0 : long.Parse(words[3]),
            Answer = Enum.Parse<HistoryAnswer>(words[4], ignoreCase: true),
            Version = words.Length > 5 && ulong.TryParse(words[5], out ulong version) ? version : 0,
            IfVersion = words[^1].StartsWith("if", StringComparison.Ordinal) ? ulong.Parse(words[^1][2..]) : null,
            IfPresent = words[^1] == "present",
        };
    }
}
