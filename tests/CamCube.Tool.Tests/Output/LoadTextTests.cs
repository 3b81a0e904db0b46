using System.Text.Json;
using CamCube.Loads.Choosing;
using CamCube.Loads.Measuring;
using CamCube.Loads.Operations;
using CamCube.Loads.Runs;
using CamCube.Loads.Settings;
using CamCube.Tool.Output;

namespace CamCube.Tool.Tests.Output;

public sealed class LoadTextTests
{
    private static readonly LoadOptions Options = new() { Workload = Workload.Core[0], Rate = 100 };
    private static readonly LoadEndpoint[] Endpoints = [new("127.0.0.1", 6379), new("::1", 6380)];

    [Fact]
    public void A_load_is_a_table_for_each_phase_and_what_failed()
    {
        using var output = new StringWriter { NewLine = "\n" };
        LoadText.Print(new Report(output), Options, LoadTarget.Redis, Endpoints, [Result()]);
        Assert.Equal(
            """
            redis at 127.0.0.1:6379, [::1]:6380
            10,000 records of 1,000 bytes, workload a (get=50,put=50, zipfian), 50 connections, 1 at a time on each
            run: 2.00 s, 1,000 done, 500/s
            +-----------+-------+-------+---------+------+------+------+-------+-----------+--------+
            | operation | count | per s | mean us |  p50 |  p95 |  p99 | p99.9 |       max | failed |
            |-----------+-------+-------+---------+------+------+------+-------+-----------+--------|
            | get       | 1,000 |   500 |   3,032 | 32.0 | 32.0 | 32.0 |  32.0 | 3,000,000 |      1 |
            | put       |     0 |     0 |     0.0 |  0.0 |  0.0 |  0.0 |   0.0 |       0.0 |      2 |
            +-----------+-------+-------+---------+------+------+------+-------+-----------+--------+
            get: 1 ended with notFound
            put: 2 ended with OOM
            7 were not begun until the end: all connections were busy

            """.ReplaceLineEndings("\n"),
            output.ToString()
        );
        Assert.Equal(0, LoadText.Wrong([Result()]));
    }

    [Fact]
    public void A_load_in_JSON_has_these_fields()
    {
        using var json = JsonDocument.Parse(LoadText.Json(Options, LoadTarget.Etcd, Endpoints, [Result()]));
        Assert.Equal(
            "target endpoints workload mix keys records valueBytes connections pipeline rate seed phases",
            Names(json.RootElement)
        );
        JsonElement phase = json.RootElement.GetProperty("phases")[0];
        Assert.Equal("phase seconds done failed perSecond late operations", Names(phase));
        JsonElement row = phase.GetProperty("operations")[0];
        Assert.Equal(
            "operation count perSecond meanMicros p50Micros p95Micros p99Micros p999Micros maxMicros errors",
            Names(row)
        );
        Assert.Equal(
            ("etcd", "run", "get", 1),
            (
                json.RootElement.GetProperty("target").GetString(),
                phase.GetProperty("phase").GetString(),
                row.GetProperty("operation").GetString(),
                row.GetProperty("errors").GetProperty("notFound").GetInt32()
            )
        );
    }

    private static string Names(JsonElement element) =>
        string.Join(' ', element.EnumerateObject().Select(static one => one.Name));

    private static LoadPhaseResult Result()
    {
        var tally = new LoadTally();
        for (int i = 1; i <= 999; i++)
        {
            tally.Add(OperationKind.Get, 31_900);
        }

        tally.Add(OperationKind.Get, 3_000_000_000);
        tally.Fail(OperationKind.Get, "notFound");
        tally.Fail(OperationKind.Put, "OOM");
        tally.Fail(OperationKind.Put, "OOM");
        return new LoadPhaseResult(LoadPhase.Run, 2, tally, 7, [], IsGone: false);
    }
}
