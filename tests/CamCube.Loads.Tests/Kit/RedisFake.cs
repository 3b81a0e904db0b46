using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace CamCube.Loads.Tests.Kit;

/// <summary>A server of Redis' protocol in this process: what clients of a load or of a recording ask, done at one
/// moment each, on several ports with one store behind them. It can be told to do it wrongly.</summary>
public sealed class RedisFake : IAsyncDisposable
{
    private const int FaultyEach = 40;
    private readonly Lock _lock = new();
    private readonly Dictionary<string, RedisFakeKey> _keys = new(StringComparer.Ordinal);
    private readonly CancellationTokenSource _end = new();
    private readonly List<TcpListener> _listeners = [];
    private readonly RedisFault _fault;
    private string _lastValue = "";
    private int _chances;

    /// <summary>A server.</summary>
    /// <param name="fault">What it does wrong.</param>
    /// <param name="ports">How many ports it has.</param>
    public RedisFake(RedisFault fault = RedisFault.None, int ports = 1)
    {
        _fault = fault;
        for (int i = 0; i < ports; i++)
        {
            var listener = new TcpListener(IPAddress.Loopback, 0);
            listener.Start();
            _listeners.Add(listener);
            _ = AcceptAsync(listener);
        }
    }

    /// <summary>Where it is.</summary>
    public IReadOnlyList<IPEndPoint> Endpoints => [.. _listeners.Select(static one => (IPEndPoint)one.LocalEndpoint)];

    /// <summary>Commands that were done.</summary>
    public long Commands { get; private set; }

    /// <summary>Keys that are there.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _keys.Count;
            }
        }
    }

    /// <summary>Before a command is done, with all others waiting.</summary>
    public Action<IReadOnlyList<string>>? Before { get; set; }

    /// <summary>A command whose name this is is answered with this, and not done.</summary>
    public Dictionary<string, string> Answers { get; } = [];

    /// <summary>Clients have to say it first; null: they need not.</summary>
    public string? Password { get; init; }

    /// <summary>The connection is ended instead of answering, now and then, the command done or not.</summary>
    public bool Breaks { get; set; }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        _listeners.ForEach(static one => one.Stop());
    }

    private async Task AcceptAsync(TcpListener listener)
    {
        try
        {
            while (true)
            {
                _ = ServeAsync(await listener.AcceptSocketAsync(_end.Token));
            }
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // Over.
        }
    }

    private async Task ServeAsync(Socket socket)
    {
        using (socket)
        {
            socket.NoDelay = true;
            var session = new RedisFakeSession();
            byte[] bytes = new byte[64 << 10];
            int held = 0;
            try
            {
                while (true)
                {
                    int count = await socket.ReceiveAsync(bytes.AsMemory(held), _end.Token);
                    if (count == 0)
                    {
                        return;
                    }

                    held += count;
                    var answers = new StringBuilder();
                    bool goesOn = true;
                    while (goesOn && TryTake(bytes, ref held, out List<string> words))
                    {
                        goesOn = Do(session, words, answers);
                    }

                    await socket.SendAsync(Encoding.Latin1.GetBytes(answers.ToString()), _end.Token);
                    if (!goesOn)
                    {
                        return;
                    }
                }
            }
            catch (Exception e) when (e is OperationCanceledException or SocketException or ObjectDisposedException)
            {
                // Over.
            }
        }
    }

    private static bool TryTake(byte[] bytes, ref int held, out List<string> words)
    {
        words = [];
        string text = Encoding.Latin1.GetString(bytes, 0, held);
        int at = 0;
        if (!TryLine(text, ref at, out int count))
        {
            return false;
        }

        for (int i = 0; i < count; i++)
        {
            if (!TryLine(text, ref at, out int length) || text.Length < at + length + 2)
            {
                return false;
            }

            words.Add(text.Substring(at, length));
            at += length + 2;
        }

        held -= at;
        Array.Copy(bytes, at, bytes, 0, held);
        return true;
    }

    private static bool TryLine(string text, ref int at, out int number)
    {
        number = 0;
        int end = text.IndexOf('\n', at);
        if (end < 0)
        {
            return false;
        }

        number = int.Parse(text.AsSpan(at + 1, end - at - 2), CultureInfo.InvariantCulture);
        at = end + 1;
        return true;
    }

    // False: the connection ends.
    private bool Do(RedisFakeSession session, List<string> words, StringBuilder answers)
    {
        lock (_lock)
        {
            Before?.Invoke(words);
            Commands++;
            string name = words[0].ToUpperInvariant();
            bool breaks = Breaks && ++_chances % FaultyEach == 0;
            if (breaks && _chances % (2 * FaultyEach) == 0)
            {
                return false;
            }

            if (name == "AUTH")
            {
                session.IsKnown = words[^1] == Password;
                answers.Append(session.IsKnown ? "+OK\r\n" : "-WRONGPASS\r\n");
            }
            else if (Password is not null && !session.IsKnown)
            {
                answers.Append("-NOAUTH Authentication required.\r\n");
            }
            else if (Answers.TryGetValue(name, out string? said))
            {
                answers.Append(said);
            }
            else if (session.Queue is not null && name is not ("EXEC" or "DISCARD"))
            {
                session.Queue.Add(words);
                answers.Append("+QUEUED\r\n");
            }
            else
            {
                answers.Append(Done(session, name, words));
            }

            return !breaks;
        }
    }

    private string Done(RedisFakeSession session, string name, List<string> words)
    {
        switch (name)
        {
            case "MULTI":
                session.Queue = [];
                return "+OK\r\n";
            case "WATCH":
                session.Watched[words[1]] = Find(words[1])?.Number ?? 0;
                return "+OK\r\n";
            case "UNWATCH":
                session.Watched.Clear();
                return "+OK\r\n";
            case "EXEC":
                List<List<string>> queue = session.Queue!;
                bool isSame =
                    _fault == RedisFault.WatchesNothing
                    || session.Watched.All(one => (Find(one.Key)?.Number ?? 0) == one.Value);
                session.Queue = null;
                session.Watched.Clear();
                return isSame
                    ? $"*{queue.Count}\r\n" + string.Concat(queue.Select(one => One(one[0].ToUpperInvariant(), one)))
                    : "*-1\r\n";
            default:
                return One(name, words);
        }
    }

    private string One(string name, List<string> words)
    {
        RedisFakeKey? key = words.Count > 1 ? Find(words[1]) : null;
        switch (name)
        {
            case "PING":
                return "+PONG\r\n";
            case "SELECT":
                return "+OK\r\n";
            case "GET":
                return Bulk(
                    _fault == RedisFault.StaleRead && IsFaulty() ? key?.Before ?? key?.Value
                    : _fault == RedisFault.Foreign && IsFaulty() ? _lastValue
                    : key?.Value
                );
            case "SET":
                return Set(words, key);
            case "DEL":
                return _keys.Remove(words[1]) ? ":1\r\n" : ":0\r\n";
            case "INCR":
                long sum = long.Parse(key?.Value ?? "0", CultureInfo.InvariantCulture) + 1;
                if (_fault != RedisFault.LostSum || !IsFaulty())
                {
                    Put(words[1], $"{sum}", null);
                }

                return $":{sum}\r\n";
            default:
                return "-ERR unknown command\r\n";
        }
    }

    private string Set(List<string> words, RedisFakeKey? key)
    {
        bool isXx = words.Contains("XX", StringComparer.OrdinalIgnoreCase),
            isGet = words.Contains("GET", StringComparer.OrdinalIgnoreCase);
        int expiry = words.FindIndex(static one => one.Equals("PX", StringComparison.OrdinalIgnoreCase));
        string? before = key?.Value;
        if (isXx && key is null && _fault != RedisFault.IgnoresCondition)
        {
            return Bulk(null);
        }

        if (_fault != RedisFault.LostWrite || !IsFaulty())
        {
            long? end =
                expiry < 0
                    ? null
                    : Environment.TickCount64 + long.Parse(words[expiry + 1], CultureInfo.InvariantCulture);
            Put(words[1], words[2], end);
        }

        return isGet ? Bulk(before) : "+OK\r\n";
    }

    private void Put(string name, string value, long? end)
    {
        _lastValue = value;
        _keys[name] = new RedisFakeKey(value, Find(name)?.Value, end, Commands);
    }

    private RedisFakeKey? Find(string name)
    {
        if (_keys.TryGetValue(name, out RedisFakeKey? key) && key.End <= Environment.TickCount64)
        {
            _keys.Remove(name);
            return null;
        }

        return key;
    }

    private bool IsFaulty() => ++_chances % FaultyEach == 0;

    private static string Bulk(string? value) => value is null ? "$-1\r\n" : $"${value.Length}\r\n{value}\r\n";
}
