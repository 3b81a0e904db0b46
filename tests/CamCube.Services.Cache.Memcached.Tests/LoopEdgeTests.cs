using System.Runtime.Versioning;
using System.Text;
using CamCube.FrontEnds.Loop;
using CamCube.Runtime.Services;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>
/// The system tells once that a client has sent something: nothing may be left lying, however it came. The loop is held
/// while clients send, so that it finds all of it at once.
/// </summary>
public sealed class LoopEdgeTests
{
    private const string None = "END\r\n";

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(100_000)]
    public async Task What_comes_at_once_is_answered_however_much_it_is(int commandsPerTurn)
    {
        await using LoopBed bed = await StartAsync(commandsPerTurn: commandsPerTurn);

        // What the loop receives into has 65,536 bytes: one less, all, one more, and many times that.
        foreach (int length in (int[])[65_535, 65_536, 65_537, 131_072, 1_000_000])
        {
            using SocketClient client = await bed.ConnectAsync();
            await client.AskAsync("get first\r\n", None);
            (string request, int gets) = Gets(length);
            await bed.WhileHeldAsync(() => client.SendAsync(request), length <= 131_072);
            await client.ExpectAsync(string.Concat(Enumerable.Repeat(None, gets)));
            await client.AskAsync("get last\r\n", None);
        }
    }

    [Fact]
    public async Task Clients_that_send_at_once_get_their_own_answers()
    {
        await using LoopBed bed = await StartAsync();
        var clients = new List<SocketClient>();
        for (int i = 0; i < 11; i++)
        {
            clients.Add(await bed.ConnectAsync());
            await clients[i].AskAsync($"set key{i} 0 0 2\r\n{i:D2}\r\n", "STORED\r\n");
        }

        // Among whole commands: more than half of what the loop receives into, half a command, half a value, the last
        // command of all.
        (string many, int gets) = Gets(40_000);
        await bed.WhileHeldAsync(async () =>
        {
            for (int i = 0; i < 11; i++)
            {
                await clients[i]
                    .SendAsync(
                        i switch
                        {
                            2 => many,
                            5 => "get key5\r\nget k",
                            6 => "set key6 0 0 3\r\nab",
                            _ => $"get key{i}\r\n",
                        }
                    );
            }

            clients[8].EndOutput();
        });
        foreach (int i in (int[])[0, 1, 3, 4, 5, 7, 8, 9, 10])
        {
            await clients[i].ExpectAsync($"VALUE key{i} 0 2\r\n{i:D2}\r\nEND\r\n");
        }

        await clients[2].ExpectAsync(string.Concat(Enumerable.Repeat(None, gets)));
        await clients[5].AskAsync("ey6\r\n", "VALUE key6 0 2\r\n06\r\nEND\r\n");
        await clients[6].AskAsync("c\r\n", "STORED\r\n");
        await clients[5].AskAsync("get key6\r\n", "VALUE key6 0 3\r\nabc\r\nEND\r\n");
        Assert.Equal("", await clients[8].ReceiveToEndAsync());
        foreach (SocketClient client in clients)
        {
            client.Dispose();
        }
    }

    [Fact]
    public async Task The_end_of_the_stream_is_seen_that_came_with_the_last_command()
    {
        await using LoopBed bed = await StartAsync();
        using SocketClient client = await bed.ConnectAsync();
        await client.AskAsync("get first\r\n", None);
        await bed.WhileHeldAsync(async () =>
        {
            await client.SendAsync("get a\r\nget b\r\n");
            client.EndOutput();
        });
        Assert.Equal(None + None, await client.ReceiveToEndAsync());
    }

    [Fact]
    public async Task Commands_behind_bytes_out_of_band_are_answered()
    {
        await using LoopBed bed = await StartAsync();
        using SocketClient client = await bed.ConnectAsync();
        await client.AskAsync("get first\r\n", None);
        for (int i = 0; i < 3; i++)
        {
            await bed.WhileHeldAsync(async () =>
            {
                await client.SendAsync("get a\r\nget");
                client.SendUrgent();
                await client.SendAsync(" b\r\nget c\r\n");
            });
            await client.ExpectAsync(None + None + None);
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public async Task What_one_client_sends_in_the_middle_of_a_turn_is_never_anothers_command(int number)
    {
        using SemaphoreSlim pauses = new(0),
            goesOn = new(0);
        await using LoopBed bed = await StartAsync(
            Acting(() =>
            {
                pauses.Release();
                Assert.True(goesOn.Wait(LoopBed.TimeOut));
            })
        );
        var clients = new List<SocketClient>();
        for (int i = 0; i < 4; i++)
        {
            clients.Add(await bed.ConnectAsync());
            await clients[i].AskAsync("get first\r\n", None);
        }

        // A byte out of band: the rest of its stream may lie behind that, so it is received from until there is
        // nothing.
        const int Later = 100;
        string later = string.Concat(Enumerable.Repeat("mn\r\n", Later)),
            answers = string.Concat(Enumerable.Repeat("MN\r\n", Later));
        SocketClient sender = clients[number];
        sender.SendUrgent();
        for (int round = 0; round < 3; round++)
        {
            await sender.AskAsync("get a\r\n", None);

            // All are received from at once. In the turn of the one more of it comes, while others wait for theirs.
            Task pause = pauses.WaitAsync(LoopBed.TimeOut);
            await bed.WhileHeldAsync(async () =>
            {
                foreach (SocketClient client in clients)
                {
                    await client.SendAsync(client == sender ? "get act\r\n" : "get b\r\n");
                }
            });
            await pause;
            await sender.SendAsync(later);
            goesOn.Release();
            foreach (SocketClient client in clients)
            {
                await client.ExpectAsync(client == sender ? None + answers : None);
            }
        }

        // And nobody has more than that.
        foreach (SocketClient client in clients)
        {
            client.EndOutput();
            Assert.Equal("", await client.ReceiveToEndAsync());
            client.Dispose();
        }
    }

    [Fact]
    [SupportedOSPlatform("linux")]
    public async Task The_loop_lends_its_input_to_nobody_while_anothers_bytes_wait_in_it()
    {
        ConnectionLoop? loop = null;
        var lent = new List<bool>();
        await using LoopBed bed = await StartAsync(
            Acting(() => lent.Add(loop!.TryLendInput(out byte[] input) && input.Length > 0))
        );
        loop = Assert.IsType<LoopListener<ICache>>(Assert.Single(bed.FrontEnd.Server!.Listeners)).Loop;
        SocketClient[] clients =
        [
            await bed.ConnectAsync(),
            await bed.ConnectAsync(),
            await bed.ConnectAsync(),
            await bed.ConnectAsync(),
        ];
        foreach (SocketClient client in clients)
        {
            await client.AskAsync("get first\r\n", None);
        }

        await bed.WhileHeldAsync(async () =>
        {
            foreach (SocketClient client in clients)
            {
                await client.SendAsync("get act\r\n");
            }
        });
        foreach (SocketClient client in clients)
        {
            await client.ExpectAsync(None);
        }

        // All four received before the first was answered. In the turn of the last nobody waits any more.
        Assert.Equal([false, false, false, true], lent);
        Array.ForEach(clients, client => client.Dispose());
    }

    [Fact]
    public async Task Who_sends_while_answers_wait_is_answered_when_they_are_read()
    {
        await using LoopBed bed = await StartAsync();
        using SocketClient late = await bed.ConnectAsync(receiveBuffer: 4096);
        string value = new('v', 1_000_000),
            found = $"VALUE big 0 {value.Length}\r\n{value}\r\nEND\r\n";
        await late.AskAsync($"set big 0 0 {value.Length}\r\n{value}\r\n", "STORED\r\n");
        await late.SendAsync(string.Concat(Enumerable.Repeat("get big\r\n", 20)));

        // Two turns: what the first could not send waits.
        await bed.WhileHeldAsync(() => late.SendAsync("get a\r\n"));
        await bed.WhileHeldAsync(() => late.SendAsync("get b\r\n"));
        for (int i = 0; i < 20; i++)
        {
            await late.ExpectAsync(found);
        }

        await late.ExpectAsync(None + None);
    }

    [Fact]
    public async Task When_the_cache_breaks_only_the_client_that_broke_it_goes()
    {
        await using LoopBed bed = await StartAsync(
            ServiceDefinition.Of(typeof(BreakingCache), _ => new BreakingCache())
        );
        var others = new List<SocketClient>();
        for (int i = 0; i < 20; i++)
        {
            others.Add(await bed.ConnectAsync());
        }

        using SocketClient breaker = await bed.ConnectAsync();
        foreach (SocketClient client in others.Append(breaker))
        {
            await client.AskAsync("get first\r\n", None);
        }

        await bed.WhileHeldAsync(async () =>
        {
            for (int i = 0; i < 20; i++)
            {
                if (i == 10)
                {
                    await breaker.SendAsync("get a break b\r\n");
                }

                await others[i].SendAsync("get a\r\n");
            }
        });
        Assert.Equal("", await breaker.ReceiveToEndAsync());
        foreach (SocketClient client in others)
        {
            // In the turn that broke a client may hear that there is no cache.
            string answer = await client.ReceiveUntilAsync("\r\n");
            Assert.True(answer is None or "SERVER_ERROR this server is cut off from the cube or stopping\r\n", answer);
            client.Dispose();
        }

        Assert.Equal(["breaking: It breaks."], bed.TakeFaults());
    }

    // Gets of one missing key, with so many bytes.
    private static (string Request, int Gets) Gets(int length)
    {
        var request = new StringBuilder();
        int gets = 0;
        for (; request.Length < length - 200; gets++)
        {
            request.Append("get missing\r\n");
        }

        request.Append("get ").Append('k', length - request.Length - 6).Append("\r\n");
        return (request.ToString(), gets + 1);
    }

    private static ServiceDefinition Acting(Action act) =>
        ServiceDefinition.Of(typeof(ActingCache), _ => new ActingCache(act));

    private static async Task<LoopBed> StartAsync(ServiceDefinition? cache = null, int commandsPerTurn = 1_024)
    {
        var options = new MemcachedFrontEndOptions { CommandsPerTurn = commandsPerTurn };
        LoopBed bed = cache is null
            ? new(new TorusShape(1, 1, 1), new CacheOptions(), options)
            : new(new TorusShape(1, 1, 1), cache, options);
        await bed.StartAsync();
        return bed;
    }
}
