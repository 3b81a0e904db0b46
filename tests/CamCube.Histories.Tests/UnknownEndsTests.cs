using CamCube.Histories.Checking;

namespace CamCube.Histories.Tests;

/// <summary>Histories in which the end of many changes is not known: what is left out of the search hides nothing, and
/// they are decided.</summary>
public sealed class UnknownEndsTests
{
    [Theory]
    [InlineData(11)]
    [InlineData(12)]
    [InlineData(13)]
    [InlineData(14)]
    public void What_every_order_says_is_said_where_most_ends_are_not_known(int seed)
    {
        var random = new Random(seed);
        int good = 0,
            bad = 0;
        for (int round = 0; round < 500; round++)
        {
            List<HistoryOperation> history = Maker(random, 20 + random.Next(40), random.Next(40))
                .Make(3 + random.Next(5), 1 + random.Next(6), 1);
            for (int i = 0; i < history.Count; i++)
            {
                history[i] = IsAnswer(history[i]) ? Plant(history[i], random) : history[i];
            }

            bool expected = EveryOrder.IsLinearizable(history);
            bool? said = LinearizabilityChecker.Check(history).IsLinearizable;
            Assert.True(expected == said, $"{said}, and every order says {expected}:\n{string.Join('\n', history)}");
            (good, bad) = expected ? (good + 1, bad) : (good, bad + 1);
        }

        Assert.InRange(good, 50, 450);
        Assert.InRange(bad, 50, 450);
    }

    [Theory]
    [InlineData(1, 3)]
    [InlineData(2, 10)]
    [InlineData(3, 25)]
    [InlineData(4, 60)]
    public void A_key_that_many_change_is_decided_whatever_they_asked_for(int seed, int percentUnknown)
    {
        HistoryMaker maker = Maker(new Random(seed), percentUnknown, 0);
        List<HistoryOperation> history = maker.Make(4_000, 20, 1);
        HistoryVerdict verdict = LinearizabilityChecker.Check(history, 1_000_000);
        Assert.True(verdict.IsLinearizable, $"{verdict}");

        // It was overwritten before the read began.
        HistoryOperation[] puts =
        [
            .. history.Where(o => o is { Kind: HistoryKind.Put, Answer: HistoryAnswer.Done }).OrderBy(o => o.End),
        ];
        HistoryOperation old = puts[puts.Length / 2],
            later = puts.First(p => p.Begin > old.End);
        HistoryOperation stale = old with
        {
            Kind = HistoryKind.Get,
            IfVersion = null,
            IfPresent = false,
            Client = 99,
            Begin = later.End + 1,
            End = later.End + 20,
        };
        foreach (HistoryOperation read in new[] { stale, stale with { Version = 0 } })
        {
            verdict = LinearizabilityChecker.Check([.. history, read], 20_000_000);
            Assert.Equal((false, read), (verdict.IsLinearizable, verdict.Unexplained));
        }
    }

    [Fact]
    public void A_version_that_nobody_made_is_explained_by_one_of_many_and_two_by_two()
    {
        // Forty whose end is not known, each on its own terms; between those that are known somebody is in the way.
        List<HistoryOperation> history = [Put("v", 0, 10, HistoryAnswer.Done, 1)];
        for (int i = 0; i < 40; i++)
        {
            HistoryOperation open = Put($"open {i}", 20 + i, 0, HistoryAnswer.Unknown, 0);
            history.Add(i % 2 == 0 ? open with { IfVersion = (ulong)i * 50 } : open with { IfPresent = i % 4 == 1 });
        }

        for (int i = 1; i < 100; i++)
        {
            ulong version = ((ulong)i * 50) + 1;
            history.Add(Put($"v{i}", i * 100, (i * 100) + 10, HistoryAnswer.Done, version));
            history.Add(
                Put("never", (i * 100) + 20, (i * 100) + 30, HistoryAnswer.Conflict, version + (i < 16 ? 7UL : 0)) with
                {
                    IfVersion = 0,
                }
            );
        }

        Assert.True(LinearizabilityChecker.Check(history, 1_000_000).IsLinearizable);

        // Twenty of them ask for nothing, or for a key that is there: there are no more than twenty such versions.
        HistoryOperation[] more =
        [
            .. history.Select(o =>
                o.Answer == HistoryAnswer.Conflict && o.Begin < 2_200 && o.Version % 50 == 1
                    ? o with
                    {
                        Version = o.Version + 7,
                    }
                    : o
            ),
        ];
        Assert.False(LinearizabilityChecker.Check(more, 1_000_000).IsLinearizable);
    }

    private static HistoryMaker Maker(Random random, int percentUnknown, int percentSilent) =>
        new(random)
        {
            PercentUnknown = percentUnknown,
            PercentSilent = percentSilent,
            PercentConditional = 50,
            PercentPresent = 20,
        };

    private static bool IsAnswer(HistoryOperation one) =>
        one.Kind == HistoryKind.Get || one.Answer is HistoryAnswer.Conflict or HistoryAnswer.NotFound;

    // Something that nobody may have seen.
    private static HistoryOperation Plant(HistoryOperation one, Random random) =>
        random.Next(6) switch
        {
            0 => one with { Version = one.Version + 1 },
            1 when one.Version > 0 => one with { Version = one.Version - 1 },
            2 when one.Kind == HistoryKind.Get => one with { Answer = HistoryAnswer.NotFound, Value = null },
            3 when one.Answer == HistoryAnswer.Done => one with { Value = $"value {random.Next(7)}" },
            4 => one with { Begin = one.Begin + 100, End = one.End + 100 },
            _ => one,
        };

    private static HistoryOperation Put(string value, long begin, long end, HistoryAnswer answer, ulong version) =>
        new()
        {
            Key = "hot",
            Kind = HistoryKind.Put,
            Value = value,
            Begin = begin,
            End = end,
            Answer = answer,
            Version = version,
        };
}
