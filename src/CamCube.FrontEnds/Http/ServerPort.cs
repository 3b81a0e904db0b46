using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging.Abstractions;

namespace CamCube.FrontEnds.Http;

/// <summary>The port of one server: accepts clients for a shared Kestrel, and knows which of its clients are this
/// server's. Any thread.</summary>
internal sealed class ServerPort
{
    /// <summary>Bytes that a connection keeps of what its client sent, and what it is sent.</summary>
    public const int ReadAhead = 64 << 10;

    private readonly HttpFrontEnd _frontEnd;
    private readonly HttpSite _site;
    private readonly Socket _socket;
    private readonly SemaphoreSlim _room;
    private readonly CancellationTokenSource _closing = new();
    private readonly ConcurrentDictionary<ConnectionContext, bool> _open = [];
    private readonly SocketConnectionContextFactory _connections = new(
        // With the default, a connection keeps up to 1 MiB beside the windows that are counted.
        new SocketConnectionFactoryOptions
        {
            MaxReadBufferSize = ReadAhead,
            MaxWriteBufferSize = ReadAhead,

            // On the pool thread that a socket woke: handlers wait for nothing but their server's loop, and two more
            // threads for each piece that is read or written cost a sixth of what an original does.
            UnsafePreferInlineScheduling = true,
        },
        NullLogger.Instance
    );
    private readonly TaskCompletionSource _empty = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Task _accepting;
    private volatile bool _isDraining;
    private volatile bool _isClosing;

    private ServerPort(HttpFrontEnd frontEnd, Socket socket, HttpSite site)
    {
        (_frontEnd, _socket, _site) = (frontEnd, socket, site);
        LocalEndpoint = (IPEndPoint)socket.LocalEndPoint!;
        _room = new SemaphoreSlim(frontEnd.Options.MaxConnections);
        _accepting = AcceptAsync();
    }

    /// <summary>Whether its connections are being cut off.</summary>
    public bool IsClosing => _isClosing;

    /// <summary>Where it listens.</summary>
    public IPEndPoint LocalEndpoint { get; }

    /// <summary>Opens the port.</summary>
    /// <exception cref="SocketException">It cannot be opened.</exception>
    public static ServerPort Open(HttpFrontEnd frontEnd, IPEndPoint endpoint, HttpSite site)
    {
        Socket socket = SocketTransportOptions.CreateDefaultBoundListenSocket(endpoint);
        try
        {
            socket.Listen(512);
        }
        catch
        {
            socket.Dispose();
            throw;
        }

        return new ServerPort(frontEnd, socket, site);
    }

    /// <summary>Accepts nobody new, and returns when the clients have had the answers that they wait for, or when
    /// cancelled.</summary>
    public async ValueTask DrainAsync(CancellationToken cancel)
    {
        await StopAcceptingAsync().ConfigureAwait(false);
        _isDraining = true;
        foreach (ConnectionContext connection in _open.Keys)
        {
            // Kestrel ends it behind the request that it is at.
            connection.Features.Get<IConnectionLifetimeNotificationFeature>()?.RequestClose();
        }

        TellIfEmpty();
        await _empty.Task.WaitAsync(cancel).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    /// <summary>Closes the port and all that came through it.</summary>
    public async Task CloseAsync()
    {
        await StopAcceptingAsync().ConfigureAwait(false);
        (_isDraining, _isClosing) = (true, true);
        foreach (ConnectionContext connection in _open.Keys)
        {
            connection.Abort(new ConnectionAbortedException("The server was stopped."));
        }

        TellIfEmpty();
        await _empty.Task.ConfigureAwait(false);
        _connections.Dispose();
    }

    private async Task StopAcceptingAsync()
    {
        await _closing.CancelAsync().ConfigureAwait(false);
        _socket.Dispose();
        await _accepting.ConfigureAwait(false);
    }

    private async Task AcceptAsync()
    {
        while (true)
        {
            try
            {
                await _room.WaitAsync(_closing.Token).ConfigureAwait(false);
                Socket socket = await _socket.AcceptAsync(_closing.Token).ConfigureAwait(false);
                Add(socket);
            }
            catch (SocketException) when (!_closing.IsCancellationRequested)
            {
                // A client that has gone before it was accepted. Others may come.
                _room.Release();
            }
            catch (Exception e) when (e is OperationCanceledException or ObjectDisposedException or SocketException)
            {
                return;
            }
        }
    }

    private void Add(Socket socket)
    {
        ConnectionContext connection;
        try
        {
            socket.NoDelay = true;
            connection = _connections.Create(socket);
        }
        catch
        {
            socket.Dispose();
            throw;
        }

        connection.Features.Set(new ServedBy(_frontEnd));
        _open.TryAdd(connection, true);
        connection.ConnectionClosed.UnsafeRegister(
            static state =>
            {
                var (port, connection) = ((ServerPort, ConnectionContext))state!;
                port.Gone(connection);
            },
            (this, connection)
        );
        if (!_site.Connections.TryAdd(connection))
        {
            connection.Abort();
        }
    }

    private void Gone(ConnectionContext connection)
    {
        if (_open.TryRemove(connection, out _))
        {
            _room.Release();
            TellIfEmpty();
        }
    }

    private void TellIfEmpty()
    {
        if (_isDraining && _open.IsEmpty)
        {
            _empty.TrySetResult();
        }
    }
}
