using CamCube.Loads.Choosing;
using CamCube.Loads.Operations;
using CamCube.Loads.Runs;
using CamCube.Loads.Settings;
using CamCube.Loads.Tests.Kit;

namespace CamCube.Loads.Tests.Runs;

/// <summary>Loads by calls that wait: over HTTP, on a front end of the store in this process.</summary>
public sealed class SessionTests
{
    private static readonly LoadOptions Small = new()
    {
        Workload = Workload.Core[0],
        Records = 50,
        ValueLength = 100,
        Operations = 300,
        Time = Timeout.InfiniteTimeSpan,
        Connections = 4,
        Patience = TimeSpan.FromSeconds(5),
    };

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Over_HTTP_all_is_asked_and_nothing_is_left()
    {
        await using var store = new HttpStoreFake();
        OperationMix.TryParse("get=2,put=1,rmw=1,insert=1,incr=1", out OperationMix mix);
        LoadOptions options = Small with { Workload = new("own", mix, KeyDistribution.Zipfian) };
        using LoadRun run = await LoadRun.BeginAsync(options, LoadTarget.Http, [store.Endpoint], Cancel);
        LoadPhaseResult result = await run.RunAsync(LoadPhase.Load, static _ => { }, Cancel);
        Assert.Equal("", string.Join(' ', result.Rows.SelectMany(static row => row.Errors)));
        Assert.Equal(50, result.Tally.Done);
        Assert.Equal(50, store.Count);
        Assert.Equal((300, 0), await RunAsync(run, LoadPhase.Run));
        (_, long failed) = await RunAsync(run, LoadPhase.Remove);
        Assert.Equal((0, 0), (failed, store.Count));
    }

    [Theory]
    [InlineData(503, "http503")]
    [InlineData(404, "notFound")]
    [InlineData(200, "wrong")]
    public async Task Over_HTTP_a_failure_is_its_status(int status, string error)
    {
        await using var store = new HttpStoreFake { Status = status };
        LoadOptions options = Small with { Workload = Workload.Core[2], Operations = 20 };
        using LoadRun run = await LoadRun.BeginAsync(options, LoadTarget.Http, [store.Endpoint], Cancel);
        LoadPhaseResult result = await run.RunAsync(LoadPhase.Run, static _ => { }, Cancel);
        Assert.Equal((0, 20), (result.Tally.Done, result.Rows[0].Errors[error]));
    }

    [Fact]
    public async Task Who_speaks_no_gRPC_is_no_etcd()
    {
        await using var server = new SaidServer("HTTP/1.1 400 Bad Request\r\n\r\n", closes: true);
        var endpoint = new LoadEndpoint("127.0.0.1", server.Endpoint.Port);
        IOException e = await Assert.ThrowsAsync<IOException>(() =>
            LoadRun.BeginAsync(Small, LoadTarget.Etcd, [endpoint], Cancel)
        );
        Assert.Contains($"{endpoint} does not answer as etcd", e.Message, StringComparison.Ordinal);
    }

    private static async Task<(long Done, long Failed)> RunAsync(LoadRun run, LoadPhase phase)
    {
        LoadPhaseResult result = await run.RunAsync(phase, static _ => { }, Cancel);
        return (result.Tally.Done, result.Tally.Failed);
    }
}
