using System.Net;
using System.Net.Sockets;

namespace CamCube.Testbed;

/// <summary>HTTP to the one server in a namespace, through sockets in there.</summary>
public static class NamespaceHttp
{
    /// <summary>A client of the server in a namespace.</summary>
    /// <param name="name">The namespace.</param>
    /// <param name="timeout">Longest time for an answer.</param>
    /// <param name="port">Its port; that of the runtime's own pages unless another is given.</param>
    public static HttpClient Client(string name, TimeSpan timeout, int port = ServerLauncher.HttpPort) =>
        new(
            new SocketsHttpHandler
            {
                UseProxy = false,
                ConnectCallback = async (_, cancel) =>
                {
                    Socket socket = NetworkNamespace.Inside(
                        name,
                        () =>
                            new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
                            {
                                NoDelay = true,
                            }
                    );
                    try
                    {
                        await socket.ConnectAsync(IPAddress.Loopback, port, cancel);
                        return new NetworkStream(socket, ownsSocket: true);
                    }
                    catch
                    {
                        socket.Dispose();
                        throw;
                    }
                },
            }
        )
        {
            BaseAddress = new Uri($"http://127.0.0.1:{port}"),
            Timeout = timeout,
        };
}
