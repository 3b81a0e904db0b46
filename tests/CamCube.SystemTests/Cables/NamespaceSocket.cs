using System.Net;
using System.Net.Sockets;
using CamCube.Testbed;

namespace CamCube.SystemTests.Cables;

/// <summary>Connections inside a network namespace: a socket belongs to the one in which it was made, by a thread that
/// went there.</summary>
internal static class NamespaceSocket
{
    /// <summary>Connects to a port of 127.0.0.1 in a namespace.</summary>
    public static async Task<Socket> ConnectAsync(string name, int port, CancellationToken cancel = default)
    {
        Socket socket = Make(
            name,
            static () => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true }
        );
        try
        {
            await socket.ConnectAsync(IPAddress.Loopback, port, cancel);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>A socket that belongs to a namespace.</summary>
    public static Socket Make(string name, Func<Socket> make)
    {
        try
        {
            return NetworkNamespace.Inside(name, make);
        }
        catch (SocketException e)
        {
            throw new IOException($"namespace {name}: {e.Message}", e);
        }
    }
}
