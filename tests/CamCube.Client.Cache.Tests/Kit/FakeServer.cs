using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace CamCube.Client.Cache.Tests.Kit;

/// <summary>
/// A server on loopback that speaks as much of the meta protocol as the client uses, keeps items by the test's clock,
/// and does what the test wants instead of answering. Text is Latin-1: one character, one byte.
/// </summary>
internal sealed class FakeServer : IAsyncDisposable
{
    private readonly TimeProvider _time;
    private readonly ConcurrentDictionary<string, FakeItem> _items;
    private readonly ConcurrentBag<Socket> _connections = [];
    private readonly ConcurrentBag<Task> _running = [];
    private readonly SemaphoreSlim _accepts = new(0);
    private readonly SemaphoreSlim _commands;
    private readonly List<(Socket Connection, byte[] Answer)> _held = [];
    private readonly Lock _lock = new();
    private Socket _listener = null!;
    private int _accepted;
    private int _received;
    private long _lastCas;

    /// <summary>Starts one.</summary>
    /// <param name="time">Tells when items expire.</param>
    /// <param name="cube">Shares this one's items and its count of commands: a server of the same cube.</param>
    public FakeServer(TimeProvider time, FakeServer? cube = null)
    {
        _time = time;
        _items = cube?._items ?? new();
        _commands = cube?._commands ?? new SemaphoreSlim(0);
        Start();
    }

    public int Port { get; private set; }

    public string Address => $"127.0.0.1:{Port}";

    public int MaxItemLength { get; set; } = 1 << 20;

    public int Accepted => Volatile.Read(ref _accepted);

    /// <summary>The first lines of all commands.</summary>
    public ConcurrentQueue<string> Lines { get; } = new();

    /// <summary>What to do with a command line; default: answer.</summary>
    public Func<string, Reaction> React { get; set; } = _ => Reaction.Answer;

    /// <summary>Said to a new connection, before anything is asked.</summary>
    public string Greeting { get; set; } = "";

    public FakeItem? this[string key] =>
        _items.TryGetValue(key, out FakeItem? item) && item.Expires > _time.GetUtcNow() ? item : null;

    public void Put(string key, string value, uint flags, TimeSpan life) =>
        _items[key] = new FakeItem(
            Encoding.Latin1.GetBytes(value),
            flags,
            _time.GetUtcNow() + life,
            (ulong)Interlocked.Increment(ref _lastCas)
        );

    /// <summary>Listens again after <see cref="StopAsync"/>, on the same port.</summary>
    public void Start()
    {
        _listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, Port));
        _listener.Listen();
        Port = ((IPEndPoint)_listener.LocalEndPoint!).Port;
        _running.Add(AcceptAsync(_listener));
    }

    /// <summary>Closes the port and all connections.</summary>
    public async Task StopAsync()
    {
        _listener.Dispose();
        Disconnect();
        await Task.WhenAll(_running);
    }

    /// <summary>Closes all connections, as a server that was started anew.</summary>
    public void Disconnect()
    {
        while (_connections.TryTake(out Socket? connection))
        {
            connection.Dispose();
        }
    }

    public Task WaitForAcceptAsync() => WaitAsync(_accepts, "connection");

    /// <summary>Waits for a command to any server of the cube.</summary>
    public Task WaitForCommandAsync() => WaitAsync(_commands, "command");

    /// <summary>Waits for commands from now on; right when all operations so far have ended.</summary>
    public void ForgetCommands()
    {
        while (_commands.Wait(0)) { }
    }

    /// <summary>Sends the answers that were held back.</summary>
    public async Task ReleaseAsync()
    {
        List<(Socket, byte[])> held;
        lock (_lock)
        {
            held = [.. _held];
            _held.Clear();
        }

        foreach ((Socket connection, byte[] answer) in held)
        {
            await SendAsync(connection, answer);
        }
    }

    public async ValueTask DisposeAsync() => await StopAsync();

    private static async Task SendAsync(Socket connection, byte[] bytes)
    {
        for (int sent = 0; sent < bytes.Length; )
        {
            sent += await connection.SendAsync(bytes.AsMemory(sent));
        }
    }

    private async Task WaitAsync(SemaphoreSlim signal, string what) =>
        Assert.True(
            await signal.WaitAsync(TimeSpan.FromSeconds(60)),
            $"No {what} more; {Accepted} connections, {_received} commands: {string.Join(" | ", Lines)}"
        );

    private async Task AcceptAsync(Socket listener)
    {
        try
        {
            while (true)
            {
                Socket connection = await listener.AcceptAsync();
                connection.NoDelay = true;
                _connections.Add(connection);
                Interlocked.Increment(ref _accepted);
                _running.Add(ServeAsync(connection));
                _accepts.Release();
            }
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // Stopped.
        }
    }

    private async Task ServeAsync(Socket connection)
    {
        try
        {
            await SendAsync(connection, Encoding.Latin1.GetBytes(Greeting));
            var input = new StreamReader(new NetworkStream(connection), Encoding.Latin1, false, 64 << 10);
            while (await input.ReadLineAsync() is { } line)
            {
                string[] words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
                byte[] data = [];
                if (words[0] == "ms")
                {
                    char[] text = new char[int.Parse(words[2], CultureInfo.InvariantCulture) + 2];
                    if (await input.ReadBlockAsync(text) < text.Length)
                    {
                        return;
                    }

                    data = Encoding.Latin1.GetBytes(text, 0, text.Length - 2);
                }

                Lines.Enqueue(line);
                Reaction reaction = React(line);
                byte[] answer = reaction.Text is { } instead ? Encoding.Latin1.GetBytes(instead) : Answer(words, data);
                Interlocked.Increment(ref _received);
                if (reaction.IsHeld)
                {
                    lock (_lock)
                    {
                        _held.Add((connection, answer));
                    }
                }

                _commands.Release();
                if (!reaction.IsHeld)
                {
                    await SendAsync(connection, answer);
                }

                if (reaction.ThenCloses)
                {
                    connection.Dispose();
                }
            }
        }
        catch (Exception error) when (error is IOException or SocketException or ObjectDisposedException)
        {
            // The client went, or the test ended the connection.
        }
        finally
        {
            connection.Dispose();
        }
    }

    private byte[] Answer(string[] words, byte[] data)
    {
        string key = words[1];
        string[] flags = words[(words[0] == "ms" ? 3 : 2)..];
        string? Flag(char name) => flags.FirstOrDefault(flag => flag[0] == name)?[1..];
        string opaque = Flag('O') is { } number ? $" O{number}\r\n" : "\r\n";
        switch (words[0])
        {
            case "ms" when data.Length > MaxItemLength:
                return Encoding.Latin1.GetBytes("SERVER_ERROR object too large for cache\r\n");
            case "ms":
                _items[key] = new FakeItem(
                    data,
                    uint.Parse(Flag('F') ?? "0", CultureInfo.InvariantCulture),
                    End(Flag('T')!),
                    (ulong)Interlocked.Increment(ref _lastCas)
                );
                return Encoding.Latin1.GetBytes("HD" + opaque);
            case "md":
                return Encoding.Latin1.GetBytes((_items.TryRemove(key, out _) ? "HD" : "NF") + opaque);
            case "mg" when this[key] is { } item:
                if (Flag('T') is { } life)
                {
                    _items[key] = item = item with { Expires = End(life) };
                }

                long left =
                    item.Expires == DateTimeOffset.MaxValue
                        ? -1
                        : (long)(item.Expires - _time.GetUtcNow()).TotalSeconds;
                string meta =
                    string.Concat(
                        flags.Select(flag =>
                            flag[0] switch
                            {
                                'f' => $" f{item.Flags}",
                                't' => $" t{left}",
                                'c' => $" c{item.Cas}",
                                _ => "",
                            }
                        )
                    ) + opaque;
                return Flag('v') is null
                    ? Encoding.Latin1.GetBytes("HD" + meta)
                    : [.. Encoding.Latin1.GetBytes($"VA {item.Data.Length}{meta}"), .. item.Data, .. "\r\n"u8];
            case "mg":
                return Encoding.Latin1.GetBytes("EN\r\n");
            default:
                return Encoding.Latin1.GetBytes("ERROR\r\n");
        }
    }

    private DateTimeOffset End(string token)
    {
        int number = int.Parse(token, CultureInfo.InvariantCulture);
        return number == 0 ? DateTimeOffset.MaxValue
            : number <= 30 * 24 * 60 * 60 ? _time.GetUtcNow().AddSeconds(number)
            : DateTimeOffset.FromUnixTimeSeconds(number);
    }
}
