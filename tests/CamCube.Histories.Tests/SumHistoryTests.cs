using CamCube.Histories.Recording;
using static CamCube.Histories.HistoryAnswer;

namespace CamCube.Histories.Tests;

/// <summary>Sums in which every contribution counts exactly once.</summary>
public sealed class SumHistoryTests
{
    private static readonly HistoryAnswer[] Answers = [Done, Done, Unknown, Unavailable];
    private long _now;

    [Theory]
    [InlineData(15, true)]
    [InlineData(10, false)]
    [InlineData(20, false)]
    [InlineData(-1, false)]
    public void What_was_done_before_counts_once(long told, bool holds)
    {
        SumHistory sum = Sum();
        Add(sum, 10, Done);
        Add(sum, 5, Done);
        Read(sum, told);
        Assert.Equal(holds, sum.Check().Holds);
    }

    [Theory]
    [InlineData(10, true)]
    [InlineData(15, true)]
    [InlineData(17, true)]
    [InlineData(12, true)]
    [InlineData(19, false)]
    [InlineData(5, false)]
    public void Of_which_nobody_knows_counts_once_or_never(long told, bool holds)
    {
        SumHistory sum = Sum();
        Add(sum, 10, Done);
        Add(sum, 5, Unknown);
        sum.Add(1, 2);
        Add(sum, 100, Unavailable);
        _now++;
        Read(sum, told);
        Add(sum, 4, Done);
        Assert.Equal(holds, sum.Check().Holds);
    }

    [Fact]
    public void What_goes_on_beside_a_read_may_count_and_must_in_the_next()
    {
        foreach (
            (long first, long second, bool holds) in ((long, long, bool)[])[(0, 7, true), (7, 7, true), (7, 0, false)]
        )
        {
            SumHistory sum = Sum();
            RecordedChange add = sum.Add(0, 7);
            _now++;
            Read(sum, first);
            add.End(Done);
            _now++;
            Read(sum, second);
            Assert.Equal(holds, sum.Check().Holds);
        }
    }

    [Fact]
    public void A_contribution_that_is_counted_twice_or_not_at_all_is_named()
    {
        SumHistory sum = Sum();
        Add(sum, 1_000, Done);
        Add(sum, 337, Done);
        Read(sum, 1_674);
        string text = sum.Check().Text;
        Assert.Contains("client 9 was told 1674", text, StringComparison.Ordinal);
        Assert.Contains("As if this one were counted twice: client 1 added 337", text, StringComparison.Ordinal);

        sum = Sum();
        Add(sum, 1_000, Done);
        Add(sum, 337, Done);
        Read(sum, 337);
        Assert.Contains(
            "As if this one were not counted: client 1 added 1000",
            sum.Check().Text,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Thousands_that_are_alike_are_decided_and_those_that_all_differ_are_given_up()
    {
        SumHistory sum = Sum();
        for (int i = 0; i < 5_000; i++)
        {
            Add(sum, i % 3, i % 2 == 0 ? Done : Unknown);
        }

        Read(sum, 4_000);
        Assert.True(sum.Check().Holds);

        SumHistory hard = Sum();
        for (int i = 0; i < 62; i++)
        {
            Add(hard, 1L << i, Unknown);
        }

        Read(hard, long.MaxValue / 3);
        HistoryFinding found = hard.Check();
        Assert.Null(found.Holds);
        Assert.StartsWith(
            "sum: not decided whether client 9 was told a right sum",
            found.Text,
            StringComparison.Ordinal
        );

        // A thousand such reads are given up, too, and one that is wrong for certain is found all the same.
        for (int i = 0; i < 1_000; i++)
        {
            Read(hard, long.MaxValue / 5);
        }

        Assert.Null(hard.Check().Holds);
        Read(hard, -1);
        Assert.False(hard.Check().Holds);
    }

    [Fact]
    public void Contributions_may_be_negative_and_as_large_as_can_be()
    {
        SumHistory sum = Sum();
        Add(sum, long.MaxValue, Done);
        Add(sum, long.MaxValue, Unknown);
        Add(sum, long.MinValue, Unknown);
        Read(sum, -1);
        Assert.True(sum.Check().Holds);
        Read(sum, -2);
        Assert.False(sum.Check().Holds);
    }

    [Fact]
    public void It_says_what_every_choice_says()
    {
        var random = new Random(5);
        int good = 0;
        for (int round = 0; round < 3_000; round++)
        {
            SumHistory sum = Sum();
            List<(long By, HistoryAnswer Answer)> all = [];
            for (int i = random.Next(9); i > 0; i--)
            {
                all.Add((random.Next(-3, 8), Answers[random.Next(Answers.Length)]));
                Add(sum, all[^1].By, all[^1].Answer);
            }

            long told = random.Next(0, 12);
            Read(sum, told);
            long must = all.Where(c => c.Answer == Done).Sum(c => c.By);
            long[] may = [.. all.Where(c => c.Answer == Unknown).Select(c => c.By)];
            bool expected = Enumerable
                .Range(0, 1 << may.Length)
                .Any(bits => must + may.Where((_, i) => (bits & (1 << i)) != 0).Sum() == told);
            Assert.Equal(expected, sum.Check().Holds);
            good += expected ? 1 : 0;
        }

        Assert.InRange(good, 200, 2_800);
    }

    [Fact]
    public void An_operation_ends_once_and_a_change_as_changes_can()
    {
        RecordedChange add = Sum().Add(0, 1);
        Assert.Throws<ArgumentOutOfRangeException>(() => add.End(Conflict));
        add.End(Done);
        Assert.Throws<InvalidOperationException>(() => add.End(Done));
        RecordedRead<long> read = Sum().Read(0);
        read.End(Unknown, 0);
        Assert.Throws<InvalidOperationException>(() => read.End(Done, 0));
    }

    private SumHistory Sum() => new(() => _now);

    private void Add(SumHistory sum, long by, HistoryAnswer answer)
    {
        RecordedChange add = sum.Add(1, by);
        _now++;
        add.End(answer);
        _now++;
    }

    private void Read(SumHistory sum, long told)
    {
        RecordedRead<long> read = sum.Read(9);
        _now++;
        read.End(Done, told);
        _now++;
    }
}
