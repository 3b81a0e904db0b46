using System.Net;
using System.Text;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Services.Cache.FrontEnds;
using CamCube.Simulator.Live;

namespace CamCube.Services.Cache.Tests.Memcached;

/// <summary>
/// The system tells once that a client has sent something: nothing may be left lying, however it came. The loop is held while clients send, so
/// that it finds all of it at once.
/// </summary>
public sealed class LoopEdgeTests : IAsyncLifetime, IServerEvents
{
    private const string None = "END\r\n";
    private static readonly TimeSpan TimeOut = TimeSpan.FromSeconds(60);
    private readonly List<string> _faults = [];
    private readonly ErrorLog _log = new();
    private LiveCube? _cube;
    private MemcachedFrontEnd? _frontEnd;

    private LiveCube Cube => _cube!;

    private MemcachedFrontEnd FrontEnd => _frontEnd!;

    public ValueTask InitializeAsync()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Loops wait for sockets on Linux only.");
        return default;
    }

    public async ValueTask DisposeAsync()
    {
        if (_cube is null)
            return;
        await FrontEnd.DisposeAsync().AsTask().WaitAsync(TimeOut);
        await Cube.DisposeAsync().AsTask().WaitAsync(TimeOut);
        Assert.True(!_log.Errors.Any(), string.Join("\n", _log.Errors));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(100_000)]
    public async Task What_comes_at_once_is_answered_however_much_it_is(int commandsPerTurn)
    {
        await StartAsync<CacheService>(a => new CacheService(a.Server, new CacheOptions()), commandsPerTurn);

        // What the loop receives into has 65,536 bytes: one less, all, one more, and many times that.
        foreach (int length in (int[])[65_535, 65_536, 65_537, 131_072, 1_000_000])
        {
            using SocketClient client = await SocketClient.ConnectAsync(FrontEnd.Port);
            await client.AskAsync("get first\r\n", None);
            (string request, int gets) = Gets(length);
            await WhileHeldAsync(() => client.SendAsync(request), length <= 131_072);
            await client.ExpectAsync(string.Concat(Enumerable.Repeat(None, gets)));
            await client.AskAsync("get last\r\n", None);
        }
    }

    [Fact]
    public async Task Clients_that_send_at_once_get_their_own_answers()
    {
        await StartAsync<CacheService>(a => new CacheService(a.Server, new CacheOptions()));
        var clients = new List<SocketClient>();
        for (int i = 0; i < 11; i++)
        {
            clients.Add(await SocketClient.ConnectAsync(FrontEnd.Port));
            await clients[i].AskAsync($"set key{i} 0 0 2\r\n{i:D2}\r\n", "STORED\r\n");
        }

        // Among whole commands: more than half of what the loop receives into, half a command, half a value, the last command of all.
        (string many, int gets) = Gets(40_000);
        await WhileHeldAsync(async () =>
        {
            for (int i = 0; i < 11; i++)
            {
                await clients[i].SendAsync(i switch
                {
                    2 => many,
                    5 => "get key5\r\nget k",
                    6 => "set key6 0 0 3\r\nab",
                    _ => $"get key{i}\r\n",
                });
            }

            clients[8].EndOutput();
        });
        foreach (int i in (int[])[0, 1, 3, 4, 5, 7, 8, 9, 10])
            await clients[i].ExpectAsync($"VALUE key{i} 0 2\r\n{i:D2}\r\nEND\r\n");
        await clients[2].ExpectAsync(string.Concat(Enumerable.Repeat(None, gets)));
        await clients[5].AskAsync("ey6\r\n", "VALUE key6 0 2\r\n06\r\nEND\r\n");
        await clients[6].AskAsync("c\r\n", "STORED\r\n");
        await clients[5].AskAsync("get key6\r\n", "VALUE key6 0 3\r\nabc\r\nEND\r\n");
        Assert.Equal("", await clients[8].ReceiveToEndAsync());
        foreach (SocketClient client in clients)
            client.Dispose();
    }

    [Fact]
    public async Task The_end_of_the_stream_is_seen_that_came_with_the_last_command()
    {
        await StartAsync<CacheService>(a => new CacheService(a.Server, new CacheOptions()));
        using SocketClient client = await SocketClient.ConnectAsync(FrontEnd.Port);
        await client.AskAsync("get first\r\n", None);
        await WhileHeldAsync(async () =>
        {
            await client.SendAsync("get a\r\nget b\r\n");
            client.EndOutput();
        });
        Assert.Equal(None + None, await client.ReceiveToEndAsync());
    }

    [Fact]
    public async Task Commands_behind_bytes_out_of_band_are_answered()
    {
        await StartAsync<CacheService>(a => new CacheService(a.Server, new CacheOptions()));
        using SocketClient client = await SocketClient.ConnectAsync(FrontEnd.Port);
        await client.AskAsync("get first\r\n", None);
        for (int i = 0; i < 3; i++)
        {
            await WhileHeldAsync(async () =>
            {
                await client.SendAsync("get a\r\nget");
                client.SendUrgent();
                await client.SendAsync(" b\r\nget c\r\n");
            });
            await client.ExpectAsync(None + None + None);
        }
    }

    [Fact]
    public async Task Who_sends_while_answers_wait_is_answered_when_they_are_read()
    {
        await StartAsync<CacheService>(a => new CacheService(a.Server, new CacheOptions()));
        using SocketClient late = await SocketClient.ConnectAsync(FrontEnd.Port, receiveBuffer: 4096);
        string value = new('v', 1_000_000), found = $"VALUE big 0 {value.Length}\r\n{value}\r\nEND\r\n";
        await late.AskAsync($"set big 0 0 {value.Length}\r\n{value}\r\n", "STORED\r\n");
        await late.SendAsync(string.Concat(Enumerable.Repeat("get big\r\n", 20)));

        // Two turns: what the first could not send waits.
        await WhileHeldAsync(() => late.SendAsync("get a\r\n"));
        await WhileHeldAsync(() => late.SendAsync("get b\r\n"));
        for (int i = 0; i < 20; i++)
            await late.ExpectAsync(found);
        await late.ExpectAsync(None + None);
    }

    [Fact]
    public async Task When_the_cache_breaks_only_the_client_that_broke_it_goes()
    {
        await StartAsync<BreakingCache>(_ => new BreakingCache());
        var others = new List<SocketClient>();
        for (int i = 0; i < 20; i++)
            others.Add(await SocketClient.ConnectAsync(FrontEnd.Port));
        using SocketClient breaker = await SocketClient.ConnectAsync(FrontEnd.Port);
        foreach (SocketClient client in others.Append(breaker))
            await client.AskAsync("get first\r\n", None);
        await WhileHeldAsync(async () =>
        {
            for (int i = 0; i < 20; i++)
            {
                if (i == 10)
                    await breaker.SendAsync("get a break b\r\n");
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

        Assert.Equal(["breaking: It breaks."], _faults);
    }

    void IServerEvents.ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
        _faults.Add($"{service}: {exception.Message}");

    void IServerEvents.ServiceRestarted(Coordinate server, string service)
    {
    }

    void IServerEvents.TopologyChanged(Coordinate server, TopologyChange change)
    {
    }

    // Gets of one missing key, with so many bytes.
    private static (string Request, int Gets) Gets(int length)
    {
        var request = new StringBuilder();
        int gets = 0;
        for (; request.Length < length - 200; gets++)
            request.Append("get missing\r\n");
        request.Append("get ").Append('k', length - request.Length - 6).Append("\r\n");
        return (request.ToString(), gets + 1);
    }

    private async Task StartAsync<TService>(Func<ServiceActivation, TService> create, int commandsPerTurn = 1_024)
        where TService : CamCubeService, ICache
    {
        _cube = new LiveCube(
            new TorusShape(1, 1, 1),
            [ServiceDefinition.Of(typeof(TService), a => create(a))],
            new ServerOptions(),
            this,
            new LiveCubeOptions(),
            1,
            TimeProvider.System);
        var options = new MemcachedFrontEndOptions { CommandsPerTurn = commandsPerTurn };
        _frontEnd = new MemcachedFrontEnd(_cube.GateOf(0), options, _log, TimeProvider.System);
        await _cube.StartAsync(default).AsTask().WaitAsync(TimeOut);
        await _frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), default);
        Assert.True(_frontEnd.IsInLoop);
    }

    // False: more than the system keeps for a client, so the loop has to go on before all of it is sent.
    private async Task WhileHeldAsync(Func<Task> act, bool untilDone = true)
    {
        using SemaphoreSlim held = new(0), over = new(0);
        ValueTask<int> holding = Cube.GateOf(0).CallAsync<ICache, (SemaphoreSlim Held, SemaphoreSlim Over), int>(
            static (_, signals) =>
            {
                signals.Held.Release();
                Assert.True(signals.Over.Wait(TimeOut));
                return ValueTask.FromResult(0);
            },
            (held, over));
        Assert.True(await held.WaitAsync(TimeOut));
        Task acting = act();
        if (untilDone)
            await acting;
        over.Release();
        await holding;
        await acting;
    }
}
