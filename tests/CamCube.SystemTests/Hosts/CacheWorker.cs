using System.Globalization;

namespace CamCube.SystemTests.Hosts;

/// <summary>One client with keys of its own, so that it knows what it may read.</summary>
/// <param name="connect">Connects to the server of a rank.</param>
/// <param name="ranks">The servers it uses, at random.</param>
/// <param name="number">Its seed, and part of its keys.</param>
internal sealed class CacheWorker(Func<int, Task<MemcachedClient>> connect, IReadOnlyList<int> ranks, int number)
{
    private readonly Random _random = new(number);
    private readonly Dictionary<string, int> _acknowledged = [];
    private readonly Dictionary<string, int> _possible = [];

    public List<string> Wrong { get; } = [];

    public int Done { get; private set; }

    /// <summary>Runs a number of operations.</summary>
    public Task RunAsync(int operations) => RunAsync(i => i < operations);

    /// <summary>Runs operations until it is told to end.</summary>
    public Task RunAsync(CancellationToken end) => RunAsync(_ => !end.IsCancellationRequested);

    private async Task RunAsync(Func<int, bool> more)
    {
        var clients = new List<MemcachedClient>();
        foreach (int rank in ranks)
        {
            clients.Add(await connect(rank));
        }

        for (int i = 0; more(i); i++)
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
