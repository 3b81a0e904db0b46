using CamCube.Histories.Recording;
using static CamCube.Histories.HistoryAnswer;

namespace CamCube.Histories.Tests;

/// <summary>Sets, logs and mailboxes that lose nothing and double nothing.</summary>
public sealed class SetHistoryTests
{
    private long _now;

    [Theory]
    [InlineData("a b", null)]
    [InlineData("b a u", null)]
    [InlineData("a b c", null)]
    [InlineData("a", "'b' is not among them: client 1 added it from 0.000 to 0.000 ms.")]
    [InlineData("a b a", "'a' is there 2 times: client 1 added it")]
    [InlineData("a b u u u", "'u' is there 3 times: client 1 began to add it")]
    [InlineData("a b x", "Nobody ever added 'x'.")]
    [InlineData("a b n", "'n' is among them: client 1 added it")]
    [InlineData("a b l", "'l' is among them before it was added")]
    public void Each_element_that_is_there_is_there_once(string shown, string? wrong)
    {
        var set = new SetHistory(() => _now, "mail");
        Add(set, "a", Done);
        Add(set, "b", Done);
        Add(set, "u", Unknown);
        Add(set, "n", Unavailable);
        RecordedChange beside = set.Add(2, "c");
        RecordedRead<IEnumerable<string>> read = set.Read(3);
        _now++;
        read.End(Done, shown.Split(' '));
        _now++;
        beside.End(Done);
        Add(set, "l", Done);
        HistoryFinding found = set.Check();
        Assert.Equal(wrong is null, found.Holds);
        Assert.Contains(wrong ?? "", found.Text, StringComparison.Ordinal);
        Assert.Equal(7, set.Operations);
    }

    [Fact]
    public void What_was_lost_in_one_look_of_many_is_found_among_thousands()
    {
        var set = new SetHistory(() => _now);
        List<string> all = [];
        for (int i = 0; i < 3_000; i++)
        {
            Add(set, $"e{i}", Done);
            all.Add($"e{i}");
        }

        RecordedRead<IEnumerable<string>> read = set.Read(0);
        read.End(Done, all.Where(e => e != "e1717"));
        Assert.StartsWith("set: client 0 was shown 2999 elements", set.Check().Text, StringComparison.Ordinal);
        Assert.Contains("'e1717' is not among them", set.Check().Text, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => set.Add(0, "e5"));
    }

    private void Add(SetHistory set, string element, HistoryAnswer answer)
    {
        RecordedChange add = set.Add(1, element);
        _now++;
        add.End(answer);
        _now++;
    }
}
