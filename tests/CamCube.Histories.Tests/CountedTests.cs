using CamCube.Histories.Checking;

namespace CamCube.Histories.Tests;

/// <summary>Keys that are counted: verdicts that are known, and those of every order.</summary>
public sealed class CountedTests
{
    [Theory]
    [InlineData(true, "0 10 done 1 5 5", "20 30 done 2 1 6")]
    [InlineData(false, "0 10 done 1 5 5", "20 30 done 2 1 1")]
    [InlineData(false, "0 10 done 1 5 5", "20 30 done 2 1 5")]
    [InlineData(true, "0 30 done 2 5 6", "10 20 done 1 1 1")]
    [InlineData(false, "0 30 done 1 5 6", "10 20 done 2 1 1")]
    // Once or never.
    [InlineData(true, "0 10 unknown 0 5 0", "20 30 done 1 1 1", "40 50 done 3 1 7")]
    [InlineData(true, "0 10 unknown 0 5 0", "20 30 done 1 1 6", "40 50 done 3 1 7")]
    [InlineData(false, "0 10 unknown 0 5 0", "20 30 done 1 1 6", "40 50 done 3 1 12")]
    [InlineData(false, "0 10 unavailable 0 5 0", "20 30 done 1 1 6")]
    [InlineData(true, "0 10 unknown 0 1 0", "0 10 unknown 0 1 0", "20 30 done 9 1 3")]
    [InlineData(false, "0 10 unknown 0 1 0", "0 10 unknown 0 1 0", "20 30 done 9 1 4")]
    public void Of_those_written_by_hand_each_is_as_it_is(bool expected, params string[] lines)
    {
        HistoryOperation[] history = [.. lines.Select(Parse)];
        Assert.Equal(expected, LinearizabilityChecker.Check(history).IsLinearizable);
        Assert.Equal(expected, EveryOrder.IsLinearizable(history));
    }

    [Fact]
    public void Short_histories_are_judged_as_every_order_judges_them()
    {
        var random = new Random(5);
        int right = 0;
        for (int i = 0; i < 3_000; i++)
        {
            HistoryOperation[] history = Draw(random, 2 + random.Next(5));
            bool expected = EveryOrder.IsLinearizable(history);
            Assert.Equal(expected, LinearizabilityChecker.Check(history).IsLinearizable);
            right += expected ? 1 : 0;
        }

        Assert.InRange(right, 500, 2_500);
    }

    [Fact]
    public void A_long_history_with_many_that_nobody_knows_the_end_of_is_decided()
    {
        var random = new Random(9);
        List<HistoryOperation> history = [];
        long sum = 0;
        for (int i = 0; i < 5_000; i++)
        {
            bool isKnown = random.Next(20) != 0,
                isDone = isKnown || random.Next(2) == 0;
            const long By = 1;
            sum += isDone ? By : 0;
            history.Add(
                Add(
                    i % 50,
                    i * 10,
                    (i * 10) + 400,
                    isKnown ? HistoryAnswer.Done : HistoryAnswer.Unknown,
                    isKnown ? (ulong)i + 1 : 0,
                    By,
                    sum
                )
            );
        }

        Assert.True(LinearizabilityChecker.Check(history).IsLinearizable);
    }

    // Of a counter that works, but that sums and ends are now and then others.
    private static HistoryOperation[] Draw(Random random, int count)
    {
        List<HistoryOperation> history = [];
        long sum = 0;
        for (int i = 0; i < count; i++)
        {
            long begin = i * 10,
                by = random.Next(1, 4);
            bool isKnown = random.Next(4) != 0,
                isDone = isKnown || random.Next(2) == 0;
            sum += isDone ? by : 0;
            long said = sum + (random.Next(8) == 0 ? random.Next(3) - 1 : 0);
            history.Add(
                random.Next(4) == 0
                    ? new HistoryOperation
                    {
                        Key = "n",
                        Kind = HistoryKind.Get,
                        Begin = begin,
                        End = begin + random.Next(40),
                        Answer = sum == 0 && random.Next(2) == 0 ? HistoryAnswer.NotFound : HistoryAnswer.Done,
                        Value = $"{sum - (isDone ? by : 0)}",
                    }
                    : Add(
                        0,
                        begin,
                        begin + random.Next(40),
                        isKnown ? HistoryAnswer.Done : HistoryAnswer.Unknown,
                        isKnown && random.Next(3) != 0 ? (ulong)i + 1 : 0,
                        by,
                        said
                    )
            );
        }

        return [.. history];
    }

    private static HistoryOperation Add(
        int client,
        long begin,
        long end,
        HistoryAnswer answer,
        ulong version,
        long by,
        long sum
    ) =>
        new()
        {
            Client = client,
            Key = "n",
            Kind = HistoryKind.Add,
            Begin = begin,
            End = end,
            Answer = answer,
            Version = version,
            By = by,
            Value = answer == HistoryAnswer.Done ? $"{sum}" : null,
        };

    private static HistoryOperation Parse(string line)
    {
        string[] words = line.Split(' ');
        return Add(
            0,
            long.Parse(words[0]),
            long.Parse(words[1]),
            Enum.Parse<HistoryAnswer>(words[2], ignoreCase: true),
            ulong.Parse(words[3]),
            long.Parse(words[4]),
            long.Parse(words[5])
        );
    }
}
