using CamCube.Histories.Recording;
using static CamCube.Histories.HistoryAnswer;

namespace CamCube.Histories.Tests;

/// <summary>Linearizable registers, written down while it happens.</summary>
public sealed class RegisterHistoryTests
{
    private long _now;

    [Fact]
    public void A_stale_read_is_shown_with_the_two_writes_that_it_contradicts_and_nothing_else()
    {
        RegisterHistory registers = Registers();
        for (int i = 0; i < 2_000; i++)
        {
            Write(registers, i % 7, $"k{i % 3}", $"{i}", Done);
            Read(registers, i % 5, $"k{i % 3}", $"{i}");
        }

        Assert.True(registers.Check().Holds);
        Read(registers, 42, "k1", "1000");
        HistoryFinding found = registers.Check();
        Assert.False(found.Holds);
        string[] lines = found.Text.Split('\n');
        Assert.Equal("registers 'k1' is not linearizable: no order of these explains all that was seen.", lines[0]);
        Assert.Equal(4, lines.Length);
        Assert.Contains("wrote '1000' from ", lines[1], StringComparison.Ordinal);
        Assert.Contains("wrote '", lines[2], StringComparison.Ordinal);
        Assert.StartsWith("  client 42 read '1000' from ", lines[3], StringComparison.Ordinal);
    }

    [Fact]
    public void A_lost_write_is_shown_as_a_read_of_nothing()
    {
        RegisterHistory registers = Registers();
        Write(registers, 1, "k", "a", Done);
        Read(registers, 2, "k", null);
        Assert.Contains("client 2 read nothing", registers.Check().Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_write_that_nobody_knows_of_may_come_late_but_only_once()
    {
        foreach (bool comesBack in (bool[])[false, true])
        {
            RegisterHistory registers = Registers();
            Write(registers, 1, "k", "late", Unknown);
            Write(registers, 2, "k", "b", Done);
            Read(registers, 3, "k", "b");
            Read(registers, 3, "k", "late");
            registers.Read(4, "k");
            if (comesBack)
            {
                Read(registers, 3, "k", "b");
            }

            Assert.Equal(!comesBack, registers.Check().Holds);
        }
    }

    [Fact]
    public void What_was_refused_must_not_be_seen()
    {
        RegisterHistory registers = Registers();
        Write(registers, 1, "k", "refused", Unavailable);
        Read(registers, 2, "k", "refused");
        Assert.False(registers.Check().Holds);
    }

    [Fact]
    public void A_crowd_of_writes_that_nobody_knows_of_ends_decided_or_not()
    {
        RegisterHistory registers = new(() => _now) { MostSteps = 20_000 };
        var random = new Random(3);
        List<RecordedRead<string>> reads = [];
        for (int i = 0; i < 60; i++)
        {
            // All at once, read in an order that no order explains, or so it takes long to say.
            registers.Write(i, "k", $"{i}");
            reads.Add(registers.Read(100 + i, "k"));
        }

        _now += 10;
        for (int i = 0; i < reads.Count; i++)
        {
            reads[i].End(Done, $"{random.Next(60)}");
        }

        for (int i = 0; i < 60; i++)
        {
            Read(registers, 200, "k", $"{random.Next(60)}");
        }

        HistoryFinding found = registers.Check();
        Assert.NotEqual(true, found.Holds);
        Assert.NotEmpty(found.Text);

        // A key behind it that is wrong for certain is found all the same.
        Write(registers, 1, "other", "a", Done);
        Read(registers, 2, "other", null);
        Assert.Contains("'other' is not linearizable", registers.Check().Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_value_is_written_once()
    {
        RegisterHistory registers = Registers();
        Write(registers, 1, "k", "a", Done);
        Write(registers, 1, "other", "a", Done);
        ArgumentException e = Assert.Throws<ArgumentException>(() => registers.Write(2, "k", "a"));
        Assert.StartsWith("'a' was written to 'k' before", e.Message, StringComparison.Ordinal);
    }

    private RegisterHistory Registers() => new(() => _now);

    private void Write(RegisterHistory registers, int client, string key, string value, HistoryAnswer answer)
    {
        RecordedChange write = registers.Write(client, key, value);
        _now += 1_000;
        write.End(answer);
        _now++;
    }

    private void Read(RegisterHistory registers, int client, string key, string? value)
    {
        RecordedRead<string> read = registers.Read(client, key);
        _now += 1_000;
        read.End(Done, value);
        _now++;
    }
}
