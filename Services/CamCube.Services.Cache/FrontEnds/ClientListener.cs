using System.Net;
using System.Net.Sockets;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>The port of one front end and the loop that accepts clients on it.</summary>
internal sealed class ClientListener : IClientListener
{
    private static readonly TimeSpan RetryTime = TimeSpan.FromSeconds(1);

    private readonly Socket _socket;
    private readonly MemcachedContext _context;
    private readonly Task _accepting;
    private bool _isClosed;

    /// <summary>Begins to accept at an open socket, which it owns from now on.</summary>
    internal ClientListener(Socket socket, MemcachedContext context)
    {
        _socket = socket;
        _context = context;
        _accepting = AcceptAllAsync();
    }

    /// <inheritdoc/>
    public int Port => (_socket.LocalEndPoint as IPEndPoint)?.Port ?? 0;

    /// <inheritdoc/>
    public async Task CloseAsync()
    {
        Volatile.Write(ref _isClosed, true);
        ListeningSocket.Close(_socket);
        await _accepting.ConfigureAwait(false);
    }

    private async Task AcceptAllAsync()
    {
        // Leaves the starter's thread and its scheduler.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        while (!Volatile.Read(ref _isClosed))
        {
            try
            {
                Admit(await _socket.AcceptAsync().ConfigureAwait(false));
            }
            catch (Exception error) when (error is SocketException or ObjectDisposedException)
            {
                if (Volatile.Read(ref _isClosed))
                    return;
                MemcachedLog.AcceptFailed(
                    _context.Logger, new IPEndPoint(_context.Endpoint.Address, _context.Endpoint.Port), error);
                await WaitAfterErrorAsync().ConfigureAwait(false);
            }
        }
    }

    /// <summary>
    /// Out of file descriptors, as a rule. The end of a client helps; if others have the descriptors nothing tells, so
    /// there is a time, too: of the system, since the port is no part of what a simulation repeats.
    /// </summary>
    private async Task WaitAfterErrorAsync()
    {
        var never = new TaskCompletionSource();
        Task end = _context.Connections.Count > 0 ? _context.Connections.WaitForAnEnd() : never.Task;
        try
        {
            await end.WaitAsync(RetryTime).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // Try again.
        }
    }

    private void Admit(Socket client)
    {
        ClientConnection connection;
        try
        {
            if (client.ProtocolType == ProtocolType.Tcp)
                client.NoDelay = true;
            client.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, true);
            connection = new ClientConnection(new NetworkStream(client, ownsSocket: true), _context, FactsOf(client));
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

        _context.Counters.CountAccepted();
        _ = connection.RunAsync();
    }

    private ConnectionFacts FactsOf(Socket client)
    {
        string listener = ListeningSocket.Describe(_socket).Address;
        string address = client.RemoteEndPoint is IPEndPoint end ? ListeningSocket.TextOf(end) : listener;
        return new ConnectionFacts(client.SafeHandle.DangerousGetHandle(), address, listener, ConnectionFacts.Waiting, -1);
    }

    private void Reject(Socket client)
    {
        _context.Counters.CountRejected();
        MemcachedLog.Rejected(_context.Logger, _context.Options.MaxConnections);
        client.Send(TextReplies.TooManyConnections);
        client.Shutdown(SocketShutdown.Send);
        client.Dispose();
    }
}
