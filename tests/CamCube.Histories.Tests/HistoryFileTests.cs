using CamCube.Histories.Checking;

namespace CamCube.Histories.Tests;

/// <summary>Histories as text.</summary>
public sealed class HistoryFileTests
{
    [Fact]
    public void What_is_written_is_read()
    {
        List<HistoryOperation> history = new HistoryMaker(new Random(1)).Make(500, 5, 3);
        Assert.Equal(history, HistoryFile.Read(["", .. history.Select(HistoryFile.Write), " "]));
        Assert.Equal(
            """{"client":3,"key":"a b","kind":"put","value":"x","ifVersion":0"""
                + ""","begin":1,"end":2,"answer":"done","version":7}""",
            HistoryFile.Write(
                new HistoryOperation
                {
                    Client = 3,
                    Key = "a b",
                    Kind = HistoryKind.Put,
                    Value = "x",
                    IfVersion = 0,
                    Begin = 1,
                    End = 2,
                    Answer = HistoryAnswer.Done,
                    Version = 7,
                }
            )
        );
    }

    [Theory]
    [InlineData("{")]
    [InlineData("null")]
    [InlineData("7")]
    [InlineData("""{"kind":"get"}""")]
    [InlineData("""{"key":"a","kind":"steal"}""")]
    [InlineData("""{"key":"a","kind":1}""")]
    [InlineData("""{"key":"a","kind":"put","answer":"done"}""")]
    [InlineData("""{"key":"a","begin":"soon"}""")]
    [InlineData("""{"key":"a","unheardOf":1}""")]
    [InlineData("""{"key":"a","begin":5,"end":4,"answer":"done"}""")]
    public void What_is_no_operation_is_refused_with_its_line(string line)
    {
        FormatException e = Assert.Throws<FormatException>(() => HistoryFile.Read(["""{"key":"a"}""", line]));
        Assert.Contains("Line 2 ", e.Message);
        Assert.True(LinearizabilityChecker.Check(HistoryFile.Read(["""{"key":"a"}"""])).IsLinearizable);
    }
}
