using System.Net;
using System.Text;
using CamCube.FrontEnds.Buffers;
using CamCube.FrontEnds.Connections;
using CamCube.FrontEnds.Pool;
using CamCube.FrontEnds.Protocols;
using CamCube.Services.Cache.Memcached;
using CamCube.Services.Cache.Memcached.Commands;
using CamCube.Services.Cache.Memcached.Doors;
using CamCube.Services.Cache.Memcached.Settings;
using CamCube.Services.Cache.Memcached.Statistics;
using CamCube.Tests;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>A client and its connection without a socket. Text is Latin-1: one character, one byte.</summary>
internal sealed class MemoryClient
{
    private static readonly TimeSpan TimeOut = TimeSpan.FromSeconds(30);

    private readonly DuplexStream _client;
    private readonly Task _run;
    private readonly StringBuilder _received = new();
    private readonly byte[] _buffer = new byte[64 << 10];

    public MemoryClient(
        FakeGate gate,
        MemcachedFrontEndOptions? options = null,
        int pauseAt = 1 << 30,
        AuthFile? users = null,
        IMemcachedProcess? process = null
    )
    {
        options ??= new MemcachedFrontEndOptions();
        var endpoint = new FrontEndEndpoint(IPAddress.Loopback, 11211);
        Context = new MemcachedContext(
            new GateDoor([gate]),
            options,
            new CommandCounters(),
            new ConnectionCounters(),
            new ConnectionList(),
            endpoint,
            1 << 20,
            Log
        )
        {
            Users = users,
            Process = process,
            Collect = StatisticsText.CollectAsync,
        };
        var shared = new ListenerContext(
            "memcached",
            options,
            Context.Traffic,
            Context.Connections,
            endpoint,
            Log,
            TimeProvider.System
        );
        (_client, DuplexStream server) = DuplexStream.CreatePair(pauseAt);
        Connection = new PoolConnection(server, shared, Serve);
        Assert.True(Context.Connections.TryAdd(Connection, 1));
        _run = Connection.RunAsync();
    }

    public ErrorLog<MemcachedFrontEnd> Log { get; } = new();

    public MemcachedContext Context { get; }

    public PoolConnection Connection { get; }

    /// <summary>Whether the connection's loop has ended.</summary>
    public bool HasEnded => _run.IsCompleted;

    public async Task SendAsync(string text) =>
        await _client.WriteAsync(Encoding.Latin1.GetBytes(text)).AsTask().WaitAsync(TimeOut);

    /// <summary>Receives at least as many bytes as the text has, and compares.</summary>
    public async Task ExpectAsync(string text)
    {
        while (_received.Length < text.Length && await ReceiveAsync() > 0) { }

        Assert.Equal(text, _received.ToString());
        _received.Clear();
    }

    /// <summary>Ends the sending and gives all that comes until the connection closes.</summary>
    public async Task<string> FinishAsync()
    {
        _client.EndOutput();
        return await ReceiveToEndAsync();
    }

    /// <summary>Gives all that comes until the connection closes.</summary>
    public async Task<string> ReceiveToEndAsync()
    {
        while (await ReceiveAsync() > 0) { }

        await _run.WaitAsync(TimeOut);
        Assert.DoesNotContain(Log.Errors, error => error.StartsWith("5301", StringComparison.Ordinal));
        return _received.ToString();
    }

    private ServedProtocol Serve(IQuestionOwner owner)
    {
        var turn = new ServiceTurn<ICache>(isInLoop: false, isWhole: false, int.MaxValue, new ReplyBuffer());
        return new ServedProtocol(new MemcachedConnection(Context, turn, owner), turn);
    }

    private async Task<int> ReceiveAsync()
    {
        int count;
        try
        {
            count = await _client.ReadAsync(_buffer).AsTask().WaitAsync(TimeOut);
        }
        catch (TimeoutException)
        {
            throw new TimeoutException($"Nothing more came after '{_received}'.");
        }

        _received.Append(Encoding.Latin1.GetString(_buffer, 0, count));
        return count;
    }
}
