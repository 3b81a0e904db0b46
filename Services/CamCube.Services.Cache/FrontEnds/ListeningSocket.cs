using System.Net;
using System.Net.Sockets;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>Opens the port of a front end.</summary>
internal static class ListeningSocket
{
    /// <summary>Binds and listens.</summary>
    /// <exception cref="FrontEndException">The port is taken, or there is another reason.</exception>
    internal static Socket Open(MemcachedContext context)
    {
        (IPAddress address, int port) = context.Endpoint;
        var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            // .NET binds with SO_REUSEADDR on Unix, so the dead connections of a killed process do not matter, and a
            // living listener does. Setting ReuseAddress here would add SO_REUSEPORT: two processes would share the
            // port unseen.
            socket.Bind(new IPEndPoint(address, port));
            socket.Listen(context.Options.Backlog);
            return socket;
        }
        catch (SocketException error)
        {
            socket.Dispose();
            throw ToFrontEndException(error, address, port);
        }
    }

    private static FrontEndException ToFrontEndException(SocketException error, IPAddress address, int port) =>
        error.SocketErrorCode switch
        {
            SocketError.AddressAlreadyInUse => new FrontEndException(
                $"port {port} on {address} is taken by another process", isPortInUse: true, error),
            SocketError.AddressNotAvailable => new FrontEndException(
                $"{address} is not an address of this machine", isPortInUse: false, error),
            SocketError.AccessDenied => new FrontEndException(
                $"port {port} on {address} needs more rights: use a port above 1023", isPortInUse: false, error),
            _ => new FrontEndException(
                $"cannot listen on port {port} of {address}: {error.SocketErrorCode}", isPortInUse: false, error),
        };
}
