using System.Globalization;

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
        Worker[] workers = [.. Enumerable.Range(0, Workers).Select(i => new Worker(host, i))];
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
            (await host.Http.PostAsync($"/api/servers/{rank}/stop", null, CancellationToken.None)).EnsureSuccessStatusCode();
            await DelayAsync(400, cancel);
            (await host.Http.PostAsync($"/api/servers/{rank}/start", null, CancellationToken.None)).EnsureSuccessStatusCode();
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

    /// <summary>One client with keys of its own, so that it knows what it may read.</summary>
    private sealed class Worker(HostProcess host, int number)
    {
        private readonly Random _random = new(number);
        private readonly Dictionary<string, int> _acknowledged = [];
        private readonly Dictionary<string, int> _possible = [];

        public List<string> Wrong { get; } = [];

        public int Done { get; private set; }

        public async Task RunAsync(int operations)
        {
            var clients = new List<MemcachedClient>();
            for (int rank = number % 2; rank < 18; rank += 2)
            {
                clients.Add(await MemcachedClient.ConnectAsync(host, rank));
            }

            for (int i = 0; i < operations; i++)
            {
                await OneAsync(clients[_random.Next(clients.Count)], i);
            }

            clients.ForEach(c => c.Dispose());
        }

        private async Task OneAsync(MemcachedClient client, int i)
        {
            string key = $"w{number}k{_random.Next(40)}";
            switch (_random.Next(4))
            {
                case 0:
                    await SetAsync(client, key, i);
                    break;
                case 1:
                    await CasAsync(client, key, i);
                    break;
                case 2:
                    await IncrementAsync(client);
                    break;
                default:
                    Check(key, await client.GetsAsync(key));
                    break;
            }

            Done++;
        }

        private async Task SetAsync(MemcachedClient client, string key, int i)
        {
            _possible[key] = i;
            string answer = await client.SetAsync(key, Text(i));
            if (answer == "STORED")
            {
                _acknowledged[key] = i;
            }
            else if (!answer.StartsWith("SERVER_ERROR", StringComparison.Ordinal))
            {
                Wrong.Add($"set {key}: {answer}");
            }
        }

        private async Task CasAsync(MemcachedClient client, string key, int i)
        {
            (string Value, ulong Cas)? found = await client.GetsAsync(key);
            Check(key, found);
            if (found is null)
            {
                return;
            }

            int before = _possible[key];
            _possible[key] = i;
            string value = Text(i);
            string answer = await client.SendAsync($"cas {key} 0 0 {value.Length} {found.Value.Cas}\r\n{value}\r\n");
            switch (answer)
            {
                case "STORED":
                    _acknowledged[key] = i;
                    break;
                case "NOT_FOUND":
                    _possible[key] = before;
                    break;
                case var error when error.StartsWith("SERVER_ERROR", StringComparison.Ordinal):
                    break;
                default:
                    Wrong.Add($"cas {key}: {answer}");
                    break;
            }
        }

        private async Task IncrementAsync(MemcachedClient client)
        {
            string key = $"w{number}n";
            string answer = await client.SendAsync($"incr {key} 1\r\n");
            if (answer == "NOT_FOUND")
            {
                await client.SetAsync(key, "1");
            }
            else if (!ulong.TryParse(answer, out _) && !answer.StartsWith("SERVER_ERROR", StringComparison.Ordinal))
            {
                Wrong.Add($"incr: {answer}");
            }
        }

        private void Check(string key, (string Value, ulong Cas)? found)
        {
            if (found is null)
            {
                return;
            }

            int value = int.Parse(found.Value.Value.TrimStart('v'), CultureInfo.InvariantCulture);
            int least = _acknowledged.GetValueOrDefault(key, -1);
            if (value < least || value > _possible.GetValueOrDefault(key, -1))
            {
                Wrong.Add($"get {key}: {value}, acknowledged {least}");
            }
        }

        private static string Text(int i) => string.Create(CultureInfo.InvariantCulture, $"v{i}");
    }
}
