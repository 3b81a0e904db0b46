using System.Net;
using System.Net.Sockets;
using CamCube.Client.Cache.Observing;
using CamCube.Client.Cache.Protocol;
using Microsoft.Extensions.Logging;

namespace CamCube.Client.Cache.Connections;

/// <summary>
/// One server: its connections, made when they are needed, and how long it is left alone after a failure. Any thread. A
/// connection that could not be made, gave no good answer, or ended by the server's fault makes the server rest; the
/// rest doubles until an answer comes.
/// </summary>
internal sealed class CacheServer
{
    private readonly CamCubeCacheOptions _options;
    private readonly CommandWriter _writer;
    private readonly AnswerReader _reader;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly EndPoint _endPoint;
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _lock = new();

    /// <summary>Replaced, never changed, so that it is read without the lock.</summary>
    private volatile CacheConnection[] _open = [];
    private readonly List<Task> _running = [];
    private Task<CacheConnection?>? _connecting;
    private long _restsSince;
    private TimeSpan _rest;
    private volatile bool _isDown;
    private bool _isStopped;

    public CacheServer(
        string name,
        CamCubeCacheOptions options,
        CommandWriter writer,
        AnswerReader reader,
        TimeProvider time,
        ILogger logger
    )
    {
        Name = name;
        _options = options;
        _writer = writer;
        _reader = reader;
        _time = time;
        _logger = logger;
        if (!ServerAddress.TryParse(name, out _endPoint))
        {
            throw new ArgumentException($"'{name}' is not host:port.", nameof(name));
        }
    }

    /// <summary>As in the options.</summary>
    public string Name { get; }

    /// <summary>What was last wrong with it, for a person.</summary>
    public string LastFailure { get; private set; } = "";

    /// <summary>Whether it has a connection.</summary>
    public bool IsOpen => _open.Length > 0;

    /// <summary>Commands without an answer.</summary>
    public int PendingCount
    {
        get
        {
            int count = 0;
            foreach (CacheConnection connection in _open)
            {
                count += connection.PendingCount;
            }

            return count;
        }
    }

    /// <summary>Whether it may be asked: it has a connection, makes one, or has rested enough.</summary>
    public bool MayConnect
    {
        get
        {
            lock (_lock)
            {
                return _connecting is not null || !IsResting();
            }
        }
    }

    /// <summary>Begins to make a connection if there is none; does not wait.</summary>
    public void Warm()
    {
        if (IsOpen)
        {
            return;
        }

        lock (_lock)
        {
            BeginConnect();
        }
    }

    /// <summary>An answer came: the server is back, if it was away.</summary>
    public void NoteAnswer()
    {
        if (!_isDown)
        {
            return;
        }

        lock (_lock)
        {
            if (!_isDown)
            {
                return;
            }

            _isDown = false;
            _rest = TimeSpan.Zero;
        }

        CacheClientLog.ServerBack(_logger, Name);
    }

    /// <summary>Gives the least busy connection, or makes the first.</summary>
    /// <returns>Null if the server rests or cannot be reached.</returns>
    public ValueTask<CacheConnection?> GetConnectionAsync(CancellationToken token)
    {
        CacheConnection? best = LeastBusy(_open);
        if (best is not null && (best.PendingCount == 0 || _open.Length >= _options.ConnectionsPerServer))
        {
            return new(best);
        }

        Task<CacheConnection?>? connecting;
        lock (_lock)
        {
            BeginConnect();
            connecting = _connecting;
        }

        if (best is not null || connecting is null)
        {
            return new(best);
        }

        return new(connecting.WaitAsync(token));
    }

    /// <summary>Ends all connections and makes no more.</summary>
    public async Task StopAsync()
    {
        Task[] running;
        lock (_lock)
        {
            _isStopped = true;
            running = [.. _running];
        }

        await _stop.CancelAsync().ConfigureAwait(false);
        foreach (CacheConnection connection in _open)
        {
            connection.Close("the cache was disposed", isFault: false);
        }

        await Task.WhenAll(running).ConfigureAwait(false);
        _stop.Dispose();
    }

    private static CacheConnection? LeastBusy(CacheConnection[] open)
    {
        CacheConnection? best = null;
        foreach (CacheConnection connection in open)
        {
            if (!connection.IsClosed && (best is null || connection.PendingCount < best.PendingCount))
            {
                best = connection;
            }
        }

        return best;
    }

    private bool IsResting() => _rest > TimeSpan.Zero && _time.GetElapsedTime(_restsSince) < _rest;

    /// <summary>Under the lock.</summary>
    private void BeginConnect()
    {
        if (_isStopped || _connecting is not null || IsResting())
        {
            return;
        }

        var connected = new TaskCompletionSource<CacheConnection?>(TaskCreationOptions.RunContinuationsAsynchronously);
        _connecting = connected.Task;
        _running.RemoveAll(task => task.IsCompleted);
        _running.Add(ConnectAndRunAsync(connected));
    }

    private async Task ConnectAndRunAsync(TaskCompletionSource<CacheConnection?> connected)
    {
        // Not under the caller's lock, not on the caller's time.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        CacheConnection? connection = null;
        try
        {
            connection = await ConnectAsync().ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            OnNotConnected($"no connection in {_options.ConnectTimeout}");
        }
        catch (Exception error)
        {
            OnNotConnected(error.Message);
        }

        bool isLate;
        lock (_lock)
        {
            _connecting = null;
            isLate = _isStopped;
            if (connection is not null && !isLate)
            {
                _open = [.. _open, connection];
            }
        }

        if (isLate)
        {
            connection?.Close("the cache was disposed", isFault: false);
        }

        connected.SetResult(connection);
        if (connection is not null)
        {
            await connection.RunAsync().ConfigureAwait(false);
        }
    }

    private void OnClosed(CacheConnection connection)
    {
        bool isNews = false;
        lock (_lock)
        {
            _open = [.. _open.Where(other => other != connection)];
            LastFailure = connection.EndReason;
            if (connection.HasAnswered)
            {
                _rest = TimeSpan.Zero;
            }

            if (connection.EndedByFault || !connection.HasAnswered)
            {
                isNews = BeginRest();
            }
        }

        if (isNews)
        {
            CacheClientLog.ServerLost(_logger, Name, connection.EndReason);
        }
    }

    private void OnNotConnected(string reason)
    {
        bool isNews;
        lock (_lock)
        {
            LastFailure = reason;
            isNews = BeginRest();
        }

        if (isNews)
        {
            CacheClientLog.ServerLost(_logger, Name, reason);
        }
    }

    /// <summary>Under the lock.</summary>
    /// <returns>Whether the server has just been lost.</returns>
    private bool BeginRest()
    {
        _restsSince = _time.GetTimestamp();
        TimeSpan rest = _rest > TimeSpan.Zero ? _rest * 2 : _options.FirstBackoff;
        _rest = rest < _options.LongestBackoff ? rest : _options.LongestBackoff;

        // A further connection that cannot be made is no reason to say that the server is lost.
        bool isNews = !_isStopped && !_isDown && _open.Length == 0;
        _isDown |= _open.Length == 0;
        return isNews;
    }

    private async Task<CacheConnection> ConnectAsync()
    {
        using var late = new CancellationTokenSource(_options.ConnectTimeout, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(late.Token, _stop.Token);
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(_endPoint, either.Token).ConfigureAwait(false);
            var network = new NetworkStream(socket);
            Stream stream = _options.Tls is { } terms
                ? await TlsClient.AuthenticateAsync(network, terms, _endPoint, either.Token).ConfigureAwait(false)
                : network;
            return new CacheConnection(socket, stream, _writer, _reader, _time, _options.AnswerTimeout, OnClosed);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
