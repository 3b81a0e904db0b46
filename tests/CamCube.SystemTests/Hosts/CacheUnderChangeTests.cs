namespace CamCube.SystemTests.Hosts;

/// <summary>The real host under 10,000 operations over all ports while servers stop and start.</summary>
public sealed class CacheUnderChangeTests
{
    private const int Workers = 9;
    private const int PerWorker = 1_120;

    [Fact]
    public async Task Ten_thousand_operations_give_no_wrong_answer_while_servers_stop_and_start()
    {
        await using HostProcess host = await HostProcess.StartAsync();
        using var end = new CancellationTokenSource();
        Task<int> changes = ChangeServersAsync(host, end.Token);
        CacheWorker[] workers =
        [
            .. Enumerable
                .Range(0, Workers)
                .Select(i => new CacheWorker(
                    rank => MemcachedClient.ConnectAsync(host, rank),
                    [.. Enumerable.Range(0, 9).Select(n => (2 * n) + (i % 2))],
                    i
                )),
        ];
        await Task.WhenAll(workers.Select(w => w.RunAsync(PerWorker)));
        await end.CancelAsync();
        Assert.True(await changes > 0, "No server was stopped.");
        Assert.Empty(workers.SelectMany(w => w.Wrong));
        Assert.True(workers.Sum(w => w.Done) >= 10_000, $"{workers.Sum(w => w.Done)} operations");
    }

    // Ranks 18 to 26 come and go; clients use the ports of ranks 0 to 17, while the keys live everywhere.
    private static async Task<int> ChangeServersAsync(HostProcess host, CancellationToken cancel)
    {
        int n = 0;
        while (!cancel.IsCancellationRequested)
        {
            int rank = 18 + (n++ % 9);
            (
                await host.Http.PostAsync($"/api/servers/{rank}/stop", null, CancellationToken.None)
            ).EnsureSuccessStatusCode();
            await DelayAsync(400, cancel);
            (
                await host.Http.PostAsync($"/api/servers/{rank}/start", null, CancellationToken.None)
            ).EnsureSuccessStatusCode();
            await DelayAsync(200, cancel);
        }

        return n;
    }

    private static async Task DelayAsync(int millis, CancellationToken cancel)
    {
        try
        {
            await Task.Delay(millis, cancel);
        }
        catch (OperationCanceledException)
        {
            // The workers are done; the server that was stopped is still started again.
        }
    }
}
