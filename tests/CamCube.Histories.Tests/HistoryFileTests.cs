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
    [InlineData("{", "is no operation: it is no JSON from byte 2 on.")]
    [InlineData("""{"key":"a"} x""", "is no operation: it is no JSON from byte 13 on.")]
    [InlineData("null", "is no operation: it is no JSON object.")]
    [InlineData("7", "is no operation: it is no JSON object.")]
    [InlineData("""{"kind":"get"}""", "is no operation: it has no field \"key\".")]
    [InlineData("""{"key":"a","kind":"steal"}""", "is no operation: field \"kind\" cannot have this value.")]
    [InlineData("""{"key":"a","kind":1}""", "is no operation: field \"kind\" cannot have this value.")]
    [InlineData("""{"key":7}""", "is no operation: field \"key\" cannot have this value.")]
    [InlineData("""{"key":null}""", "is no operation: field \"key\" cannot have this value.")]
    [InlineData("""{"key":"a","key":"b"}""", "is no operation: field \"key\" cannot have this value.")]
    [InlineData("""{"key":"a","un heard":1}""", "is no operation: there is no field \"un heard\".")]
    [InlineData("""{"key":"a","kind":"put","answer":"done"}""", "is a put without a value.")]
    [InlineData("""{"key":"a","begin":"soon"}""", "is no operation: field \"begin\" cannot have this value.")]
    [InlineData("""{"key":"a","version":-1}""", "is no operation: field \"version\" cannot have this value.")]
    [InlineData("""{"key":"a","unheardOf":1}""", "is no operation: there is no field \"unheardOf\".")]
    [InlineData("""{"key":"a","begin":5,"end":4,"answer":"done"}""", "ends before it begins.")]
    public void What_is_no_operation_is_refused_with_its_line_and_why(string line, string why)
    {
        FormatException e = Assert.Throws<FormatException>(() => HistoryFile.Read(["""{"key":"a"}""", line]));
        Assert.Equal($"Line 2 {why}", e.Message);
        Assert.True(LinearizabilityChecker.Check(HistoryFile.Read(["""{"key":"a"}"""])).IsLinearizable);
    }
}
