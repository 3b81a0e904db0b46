using CamCube.Histories.Checking;

namespace CamCube.Histories.Tests;

/// <summary>What is left of a history that nothing explains.</summary>
public sealed class ContradictionTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void A_stale_read_in_a_long_history_is_shown_with_little_beside_it(int seed)
    {
        // What is made is linearizable, and a value that was overwritten before all began is read in the middle of it.
        List<HistoryOperation> history = new HistoryMaker(new Random(seed)).Make(2_000, 5, 3);
        Assert.True(LinearizabilityChecker.Check(history).IsLinearizable);
        long end = history.Max(static o => o.End) + 1;
        HistoryOperation old = Put("old", "first", 1, end + 1, 1_000_000_001),
            next = Put("old", "second", 2, end + 3, 1_000_000_002),
            read =
                new()
                {
                    Client = 3,
                    Key = "old",
                    Value = "first",
                    Begin = end + 5,
                    End = end + 6,
                    Answer = HistoryAnswer.Done,
                    Version = 1_000_000_001,
                };
        history.AddRange([old, next, read]);
        for (int i = 0; i < 500; i++)
        {
            history.Add(
                read with
                {
                    Value = "second",
                    Version = 1_000_000_002,
                    Begin = end + 7 + i,
                    End = end + 8 + i,
                }
            );
        }

        HistoryVerdict verdict = LinearizabilityChecker.Check(history);
        Assert.Equal((false, "old"), (verdict.IsLinearizable, verdict.Key));
        Assert.Equal([old, next, read], Contradiction.Of(history, verdict));
    }

    [Fact]
    public void A_value_that_nobody_wrote_stands_alone()
    {
        HistoryOperation read = new()
        {
            Key = "a",
            Value = "x",
            Begin = 5,
            End = 6,
            Answer = HistoryAnswer.Done,
        };
        HistoryOperation[] history =
        [
            read,
            read with
            {
                Begin = 1,
                End = 2,
                Value = null,
                Answer = HistoryAnswer.NotFound,
            },
        ];
        Assert.Equal([read], Contradiction.Of(history, LinearizabilityChecker.Check(history)));
    }

    private static HistoryOperation Put(string key, string value, int client, long begin, ulong version) =>
        new()
        {
            Client = client,
            Key = key,
            Kind = HistoryKind.Put,
            Value = value,
            Begin = begin,
            End = begin + 1,
            Answer = HistoryAnswer.Done,
            Version = version,
        };
}
