using System.Net;
using System.Net.Sockets;
using CamCube.FrontEnds.Connections;
using CamCube.FrontEnds.Protocols;
using CamCube.Linux;

namespace CamCube.FrontEnds.Pool;

/// <summary>A port whose clients are served on pool threads, and the loop that accepts them.</summary>
internal sealed class PoolListener : IListener
{
    private static readonly TimeSpan RetryTime = TimeSpan.FromSeconds(1);

    private readonly Socket _socket;
    private readonly bool _hasTls;
    private readonly ListenerContext _context;
    private readonly Func<IQuestionOwner, ServedProtocol> _create;
    private readonly PoolSweeper _sweeper;
    private readonly TaskCompletionSource _closing = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Task _accepting;
    private bool _isPaused;
    private bool _isShort;
    private long _pausedAt;

    /// <summary>Begins to accept at an open socket, which it owns from now on.</summary>
    /// <param name="port">The socket.</param>
    /// <param name="context">What the connections share.</param>
    /// <param name="create">Makes protocols.</param>
    /// <param name="sweeper">Looks after time limits.</param>
    public PoolListener(
        OpenPort port,
        ListenerContext context,
        Func<IQuestionOwner, ServedProtocol> create,
        PoolSweeper sweeper
    )
    {
        (_socket, _hasTls, _context) = (port.Socket, port.HasTls, context);
        (_create, _sweeper) = (create, sweeper);
        _accepting = AcceptAllAsync();
    }

    private IPEndPoint Endpoint => new(_context.Endpoint.Address, _context.Endpoint.Port);

    private bool IsFull =>
        !_context.Options.RejectOverLimit && _context.Connections.Count >= _context.Options.MaxConnections;

    /// <inheritdoc/>
    public async Task CloseAsync()
    {
        _closing.TrySetResult();
        ListeningSocket.Close(_socket, _context.Logger);
        await _accepting.ConfigureAwait(false);
    }

    private async Task AcceptAllAsync()
    {
        // Leaves the starter's thread and its scheduler.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        while (!_closing.Task.IsCompleted)
        {
            SocketException? failure = null;
            if (HasRoom())
            {
                try
                {
                    Task<Socket> accept = _socket.AcceptAsync();
                    if (!accept.IsFaulted)
                    {
                        EndPause();
                    }

                    Admit(await accept.ConfigureAwait(false));
                    continue;
                }
                catch (Exception error) when (error is SocketException or ObjectDisposedException)
                {
                    failure = error as SocketException;
                    if (_closing.Task.IsCompleted)
                    {
                        break;
                    }
                }
            }

            // Who goes between the look for room and the wait for an end would be missed.
            Task end = _context.Connections.Count > 0 ? _context.Connections.WaitForAnEnd() : _closing.Task;
            if (failure is null && HasRoom())
            {
                continue;
            }

            if (!_isPaused && _isShort)
            {
                ConnectionLog.FewDescriptors(_context.Logger, _context.Name, Endpoint);
            }

            BeginPause(failure);
            await WaitForRoomAsync(end).ConfigureAwait(false);
        }

        EndPause();
    }

    private bool HasRoom()
    {
        if (_isShort && OperatingSystem.IsLinux())
        {
            _isShort = DescriptorRoom.IsShort();
        }

        return !IsFull && !_isShort;
    }

    // Out of descriptors, as a rule, or of places.
    private void BeginPause(SocketException? failure)
    {
        if (_isPaused)
        {
            return;
        }

        (_isPaused, _pausedAt) = (true, _context.Time.GetTimestamp());
        _context.Counters.CountPause();
        if (failure is not null)
        {
            ConnectionLog.AcceptFailed(_context.Logger, _context.Name, Endpoint, failure);
        }
    }

    private void EndPause()
    {
        if (!_isPaused)
        {
            return;
        }

        _isPaused = false;
        _context.Counters.EndPause(_context.Time.GetElapsedTime(_pausedAt));
    }

    /// <summary>The end of a client helps; if others have the descriptors nothing tells, so there is a time,
    /// too.</summary>
    private async Task WaitForRoomAsync(Task end)
    {
        try
        {
            await Task.WhenAny(end, _closing.Task).WaitAsync(RetryTime, _context.Time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // Try again.
        }
    }

    private void Admit(Socket client)
    {
        PoolConnection connection;
        if (OperatingSystem.IsLinux())
        {
            _isShort = DescriptorRoom.IsShortAt(client.SafeHandle.DangerousGetHandle());
        }

        try
        {
            if (client.ProtocolType == ProtocolType.Tcp)
            {
                client.NoDelay = true;
            }

            client.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, true);
            connection = new PoolConnection(
                new NetworkStream(client, ownsSocket: true),
                _context,
                _create,
                FactsOf(client),
                _hasTls
            );
            if (!_context.Connections.TryAdd(connection, _context.Options.MaxConnections))
            {
                Reject(client);
                return;
            }
        }
        catch (Exception error) when (error is SocketException or IOException)
        {
            // Gone before it was served.
            client.Dispose();
            return;
        }
        catch (Exception error)
        {
            // Its protocol cannot be made.
            _context.Charge(FactsOf(client).Address, error);
            client.Dispose();
            return;
        }

        _context.Counters.CountAccepted();
        _sweeper.Watch();
        _ = connection.RunAsync();
    }

    private ConnectionFacts FactsOf(Socket client)
    {
        string listener = ListeningSocket.Describe(_socket).Address;
        string address = client.RemoteEndPoint is IPEndPoint end ? ListeningSocket.TextOf(end) : listener;
        return new ConnectionFacts(
            client.SafeHandle.DangerousGetHandle(),
            address,
            listener,
            ConnectionState.Waiting,
            -1
        );
    }

    private void Reject(Socket client)
    {
        _context.Counters.CountRejected();
        ConnectionLog.Rejected(_context.Logger, _context.Name, _context.Options.MaxConnections);
        client.Send(_context.Refusal.Span);
        client.Shutdown(SocketShutdown.Send);
        client.Dispose();
    }
}
