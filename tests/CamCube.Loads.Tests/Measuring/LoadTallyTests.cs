using CamCube.Loads.Choosing;
using CamCube.Loads.Measuring;

namespace CamCube.Loads.Tests.Measuring;

public sealed class LoadTallyTests
{
    [Fact]
    public void Rows_are_what_was_done_and_why_not()
    {
        var tally = new LoadTally();
        for (int i = 1; i <= 100; i++)
        {
            tally.Add(OperationKind.Get, i * 1_000);
        }

        tally.Fail(OperationKind.Get, "notFound");
        tally.Fail(OperationKind.Put, "OOM");
        var other = new LoadTally();
        other.Fail(OperationKind.Put, "OOM");
        other.Fail(OperationKind.Put, "closed");
        tally.Add(other);
        Assert.Equal((100, 4), (tally.Done, tally.Failed));
        IReadOnlyList<OperationRow> rows = tally.Rows(2);
        Assert.Equal(["get", "put"], rows.Select(static row => row.Operation));
        Assert.Equal((100, 50, 100), (rows[0].Count, rows[0].PerSecond, rows[0].MaxMicros));
        Assert.Equal(50.5, rows[0].MeanMicros, 0.001);
        Assert.InRange(rows[0].P99Micros, 99, 99.8);
        Assert.Equal("notFound 1", string.Join(' ', rows[0].Errors.Select(static one => $"{one.Key} {one.Value}")));
        Assert.Equal("OOM 2 closed 1", string.Join(' ', rows[1].Errors.Select(static one => $"{one.Key} {one.Value}")));
        Assert.Equal((0, 0), (rows[1].Count, rows[1].MeanMicros));
    }

    [Fact]
    public void A_server_that_says_other_words_each_time_does_not_fill_the_memory()
    {
        var tally = new LoadTally();
        for (int i = 0; i < 1_000; i++)
        {
            tally.Fail(OperationKind.Get, $"E{i}");
        }

        IReadOnlyDictionary<string, long> errors = tally.Rows(1)[0].Errors;
        Assert.Equal((65, 936, 1_000), (errors.Count, errors["others"], errors.Values.Sum()));
    }
}
