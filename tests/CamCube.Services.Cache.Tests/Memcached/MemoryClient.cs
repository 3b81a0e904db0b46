using System.Net;
using System.Text;
using CamCube.Services.Cache.FrontEnds;

namespace CamCube.Services.Cache.Tests.Memcached;

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
        Context = new MemcachedContext(
            new GateDoor([gate]),
            options ?? new MemcachedFrontEndOptions(),
            new FrontEndCounters(),
            new ConnectionList(),
            new FrontEndEndpoint(IPAddress.Loopback, 11211),
            1 << 20,
            Log,
            TimeProvider.System
        )
        {
            Users = users,
            Process = process,
        };
        (_client, DuplexStream server) = DuplexStream.CreatePair(pauseAt);
        Connection = new ClientConnection(server, Context);
        Assert.True(Context.Connections.TryAdd(Connection, 1));
        _run = Connection.RunAsync();
    }

    public ErrorLog Log { get; } = new();

    public MemcachedContext Context { get; }

    public ClientConnection Connection { get; }

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
        Assert.DoesNotContain(Log.Errors, error => error.StartsWith("5201", StringComparison.Ordinal));
        return _received.ToString();
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
