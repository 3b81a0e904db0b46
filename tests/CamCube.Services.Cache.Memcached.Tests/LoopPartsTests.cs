using System.Globalization;
using System.Text;
using CamCube.Runtime.Services;
using CamCube.Services.Cache.Memcached.Doors;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>Loops that share the keys do commands in each other's servers: nothing is lost between them, and nobody
/// waits for ever.</summary>
public sealed class LoopPartsTests
{
    private const int Parts = 3,
        Clients = 12,
        Keys = 8;
    private const string Stopped = "SERVER_ERROR this server is cut off from the cube or stopping\r\n";

    [Fact]
    public async Task Increments_of_clients_of_all_loops_are_counted_exactly()
    {
        const int Batches = 40,
            Batch = 63 * Keys;
        await using LoopBed bed = await StartAsync();
        using SocketClient first = await bed.ConnectAsync();
        foreach (int key in Enumerable.Range(0, Keys))
        {
            await first.AskAsync($"set n{key} 0 0 1\r\n0\r\n", "STORED\r\n");
        }

        await ForAllAsync(
            bed,
            async (client, number) =>
            {
                // Each begins elsewhere: at every moment several are at the same key.
                var request = new StringBuilder();
                for (int i = 0; i < Batch; i++)
                {
                    request.Append(CultureInfo.InvariantCulture, $"incr n{(i + number) % Keys} 1 noreply\r\n");
                }

                request.Append("mn\r\n");
                for (int i = 0; i < Batches; i++)
                {
                    await client.AskAsync(request.ToString(), "MN\r\n");
                }
            }
        );
        string total = (Clients * Batches * Batch / Keys).ToString(CultureInfo.InvariantCulture);
        foreach (int key in Enumerable.Range(0, Keys))
        {
            await first.AskAsync($"get n{key}\r\n", $"VALUE n{key} 0 {total.Length}\r\n{total}\r\nEND\r\n");
        }

        Assert.Equal(
            (Clients * Batches * Batch).ToString(CultureInfo.InvariantCulture),
            await first.StatAsync("incr_hits")
        );
    }

    [Fact]
    public async Task Of_those_who_compare_with_the_same_token_one_wins()
    {
        const int Rounds = 100;
        await using LoopBed bed = await StartAsync();
        using SocketClient first = await bed.ConnectAsync();
        foreach (int key in Enumerable.Range(0, Keys))
        {
            await first.AskAsync($"set c{key} 0 0 1\r\n0\r\n", "STORED\r\n");
        }

        int[] won = new int[Keys];
        await ForAllAsync(
            bed,
            async (client, number) =>
            {
                for (int i = 0; i < Rounds; i++)
                {
                    int key = (i + number) % Keys;
                    await client.SendAsync($"gets c{key}\r\n");
                    string[] lines = (await client.ReceiveUntilAsync("END\r\n")).Split("\r\n");
                    string next = (int.Parse(lines[1], CultureInfo.InvariantCulture) + 1).ToString(
                        CultureInfo.InvariantCulture
                    );
                    await client.SendAsync($"cas c{key} 0 0 {next.Length} {lines[0].Split(' ')[4]}\r\n{next}\r\n");
                    string answer = await client.ReceiveUntilAsync("\r\n");
                    Assert.True(answer is "STORED\r\n" or "EXISTS\r\n", answer);
                    if (answer == "STORED\r\n")
                    {
                        Interlocked.Increment(ref won[key]);
                    }
                }
            }
        );
        foreach (int key in Enumerable.Range(0, Keys))
        {
            string value = won[key].ToString(CultureInfo.InvariantCulture);
            await first.AskAsync($"get c{key}\r\n", $"VALUE c{key} 0 {value.Length}\r\n{value}\r\nEND\r\n");
        }
    }

    [Fact]
    public async Task Flush_all_is_of_all_parts_while_others_store()
    {
        await using LoopBed bed = await StartAsync();
        using SocketClient first = await bed.ConnectAsync();
        string sets = string.Concat(Enumerable.Range(0, 100).Select(i => $"set f{i} 0 0 1\r\nx\r\n"));
        string gets = string.Concat(Enumerable.Range(0, 100).Select(i => $"get f{i}\r\n"));
        using var over = new CancellationTokenSource();
        Task others = ForAllAsync(
            bed,
            async (client, number) =>
            {
                while (!over.IsCancellationRequested)
                {
                    await client.AskAsync($"set o{number} 0 0 5\r\nhello\r\n", "STORED\r\n");
                }
            }
        );
        for (int i = 0; i < 20; i++)
        {
            await first.AskAsync(sets, string.Concat(Enumerable.Repeat("STORED\r\n", 100)));
            await first.AskAsync($"flush_all\r\n{gets}", $"OK\r\n{string.Concat(Enumerable.Repeat("END\r\n", 100))}");
        }

        await over.CancelAsync();
        await others;
    }

    [Fact]
    public async Task A_limit_of_memory_that_one_part_cannot_take_leaves_all_as_they_were()
    {
        // The last part has the largest values, which want more memory.
        int made = 0;
        var caches = ServiceDefinition.Of(
            typeof(CacheService),
            a => new CacheService(
                a.Server,
                new CacheOptions { MaxValueLength = Interlocked.Increment(ref made) == Parts ? 16 << 20 : 1 << 20 }
            )
        );
        await using LoopBed bed = new(new TorusShape(1, 1, 1), caches, new MemcachedFrontEndOptions(), Parts);
        await bed.StartAsync();
        using SocketClient client = await bed.ConnectAsync();
        string before = await client.StatAsync("limit_maxbytes");
        await client.AskAsync("cache_memlimit 48\r\n", "MEMLIMIT_ADJUST_FAILED out of bounds or unable to adjust\r\n");
        Assert.Equal(before, await client.StatAsync("limit_maxbytes"));
        await client.AskAsync("cache_memlimit 192\r\n", "OK\r\n");
        await client.AskAsync("cache_memlimit 150\r\n", "OK\r\n");
        Assert.Equal($"{150 << 20}", await client.StatAsync("limit_maxbytes"));
    }

    [Fact]
    public async Task While_a_part_stops_and_starts_the_others_keys_are_served()
    {
        await using LoopBed bed = await StartAsync();
        using var over = new CancellationTokenSource();
        using SocketClient last = await bed.ConnectAsync();
        bool[] isIn = [.. Enumerable.Range(0, 40).Select(i => IsIn(part: 1, $"s{i}"))];
        Assert.Contains(true, isIn);
        Assert.Contains(false, isIn);
        Task others = ForAllAsync(
            bed,
            async (client, number) =>
            {
                for (int i = number; !over.IsCancellationRequested; i = (i + 1) % 40)
                {
                    await client.SendAsync($"set s{i} 0 0 5\r\nhello\r\nget s{i}\r\n");
                    string stored = await client.ReceiveUntilAsync("\r\n");
                    if (!isIn[i])
                    {
                        await ContinueAsync(client, stored, $"STORED\r\nVALUE s{i} 0 5\r\nhello\r\nEND\r\n");
                        continue;
                    }

                    // Of this part's keys nobody knows what comes; it comes.
                    string answer = stored;
                    while (
                        !answer.EndsWith("END\r\n", StringComparison.Ordinal)
                        && !answer.EndsWith(Stopped + Stopped, StringComparison.Ordinal)
                        && answer != "STORED\r\n" + Stopped
                    )
                    {
                        answer += await client.ReceiveUntilAsync("\r\n");
                    }

                    Assert.True(
                        answer
                            is Stopped + Stopped
                                or $"STORED\r\n{Stopped}"
                                or Stopped + "END\r\n"
                                or "STORED\r\nEND\r\n"
                            || answer == $"STORED\r\nVALUE s{i} 0 5\r\nhello\r\nEND\r\n"
                            || answer == $"{Stopped}VALUE s{i} 0 5\r\nhello\r\nEND\r\n",
                        answer
                    );
                }
            }
        );
        for (int i = 0; i < 20; i++)
        {
            await bed.Cubes[1].StopServerAsync(0);
            await last.AskAsync("set s 0 0 1\r\nx\r\n", IsIn(1, "s") ? Stopped : "STORED\r\n");
            await bed.Cubes[1].StartServerAsync(0);
            await last.AskAsync("set s 0 0 1\r\nx\r\nget s\r\n", "STORED\r\nVALUE s 0 1\r\nx\r\nEND\r\n");
        }

        await over.CancelAsync();
        await others;
    }

    [Fact]
    public async Task A_cube_may_end_while_the_other_loops_are_in_it()
    {
        await using LoopBed bed = await StartAsync();
        SocketClient[] clients = await ConnectAsync(bed);
        using var over = new CancellationTokenSource();
        string theirs = KeyIn(part: 2),
            ours = KeyIn(part: 0),
            request = $"touch {theirs} 0\r\nset {ours} 0 0 1\r\nx\r\n";
        int rounds = 0;
        async Task AskAsync(SocketClient client)
        {
            for (; !over.IsCancellationRequested; Interlocked.Increment(ref rounds))
            {
                await client.SendAsync(request);
                Assert.Contains(
                    await client.ReceiveUntilAsync("STORED\r\n"),
                    new[] { "NOT_FOUND\r\nSTORED\r\n", Stopped + "STORED\r\n" }
                );
            }
        }

        // Those of the loop that ends hear nothing more.
        Task[] others = [.. clients.Where((_, i) => i > 0 && i % Parts != 2).Select(AskAsync)];
        while (Volatile.Read(ref rounds) < 1_000)
        {
            await clients[0].AskAsync(request, "NOT_FOUND\r\nSTORED\r\n");
        }

        await bed.Cubes[2].DisposeAsync();
        await clients[0].AskAsync(request, Stopped + "STORED\r\n");
        await over.CancelAsync();
        await Task.WhenAll(others);
        Array.ForEach(clients, client => client.Dispose());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public async Task A_part_that_breaks_is_restarted_and_only_the_client_that_broke_it_goes(int loop)
    {
        var options = new MemcachedFrontEndOptions();
        await using LoopBed bed = new(
            new TorusShape(1, 1, 1),
            ServiceDefinition.Of(typeof(BreakingCache), _ => new BreakingCache()),
            options,
            Parts
        );
        await bed.StartAsync();
        int part = PartOf("break");
        string same = KeyIn(part),
            other = KeyIn((part + 1) % Parts);
        SocketClient[] clients = await ConnectAsync(bed);
        await clients[loop].SendAsync($"get {other} {same} break {same}\r\n");
        Assert.Equal("", await clients[loop].ReceiveToEndAsync());
        foreach (SocketClient client in clients.Where((_, i) => i != loop))
        {
            await client.AskAsync($"get {other}\r\n", "END\r\n");
            await client.SendAsync($"get {same}\r\n");
            string answer = await client.ReceiveUntilAsync("\r\n");
            Assert.True(answer is Stopped or "END\r\n", answer);
        }

        await bed.Restarted.WaitAsync(LoopBed.TimeOut);
        foreach (SocketClient client in clients.Where((_, i) => i != loop))
        {
            await client.AskAsync($"get {other} {same}\r\n", "END\r\n");
        }

        Assert.Equal(["breaking: It breaks."], bed.TakeFaults());
        Array.ForEach(clients, client => client.Dispose());
    }

    private static async Task ContinueAsync(SocketClient client, string begun, string expected) =>
        Assert.Equal(expected, begun + await client.ReceiveAsync(expected.Length - begun.Length));

    private static int PartOf(string key) => GateDoor.PartOf(Encoding.ASCII.GetBytes(key), Parts);

    private static bool IsIn(int part, string key) => PartOf(key) == part;

    private static string KeyIn(int part) =>
        Enumerable.Range(0, 1_000).Select(i => $"key{i}").First(key => IsIn(part, key));

    // Clients are dealt out to the loops in the order of their coming.
    private static async Task<SocketClient[]> ConnectAsync(LoopBed bed)
    {
        var clients = new SocketClient[Clients];
        for (int i = 0; i < Clients; i++)
        {
            clients[i] = await bed.ConnectAsync();
        }

        return clients;
    }

    private static async Task ForAllAsync(LoopBed bed, Func<SocketClient, int, Task> act)
    {
        SocketClient[] clients = await ConnectAsync(bed);
        await Task.WhenAll(clients.Select(act)).WaitAsync(LoopBed.TimeOut);
        Array.ForEach(clients, client => client.Dispose());
    }

    private static async Task<LoopBed> StartAsync()
    {
        var bed = new LoopBed(new TorusShape(1, 1, 1), new CacheOptions(), new MemcachedFrontEndOptions(), Parts);
        await bed.StartAsync();
        return bed;
    }
}
