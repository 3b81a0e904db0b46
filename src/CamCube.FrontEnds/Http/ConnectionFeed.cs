using System.Net;
using System.Threading.Channels;
using Microsoft.AspNetCore.Connections;

namespace CamCube.FrontEnds.Http;

/// <summary>What a shared Kestrel takes for its one listener: connections that many ports have accepted. Any
/// thread.</summary>
internal sealed class ConnectionFeed : IConnectionListenerFactory, IConnectionListener
{
    private readonly Channel<ConnectionContext> _accepted = Channel.CreateUnbounded<ConnectionContext>();

    /// <summary>What Kestrel is told; nobody listens there.</summary>
    public static IPEndPoint Place { get; } = new(IPAddress.Loopback, 1);

    /// <inheritdoc/>
    public EndPoint EndPoint => Place;

    /// <summary>Hands over a connection. False: the site has ended, and the connection stays the caller's.</summary>
    public bool TryAdd(ConnectionContext connection) => _accepted.Writer.TryWrite(connection);

    /// <inheritdoc/>
    public ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default) =>
        new(this);

    /// <inheritdoc/>
    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
    {
        while (await _accepted.Reader.WaitToReadAsync(cancellationToken).ConfigureAwait(false))
        {
            if (_accepted.Reader.TryRead(out ConnectionContext? connection))
            {
                return connection;
            }
        }

        return null;
    }

    /// <inheritdoc/>
    public ValueTask UnbindAsync(CancellationToken cancellationToken = default)
    {
        _accepted.Writer.TryComplete();
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => UnbindAsync();
}
