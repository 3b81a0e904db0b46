using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;
using CamCube.Testbed;

namespace CamCube.SystemTests.Cables;

/// <summary>The least of a web server, in a namespace: every request is answered with the same bytes.</summary>
internal sealed class TestWeb : IDisposable
{
    private readonly Socket[] _listening;
    private readonly byte[] _content;

    public TestWeb(string server, int port, int length)
    {
        _content = new byte[length];
        new Random(1).NextBytes(_content);
        Hash = SHA256.HashData(_content);
        _listening = NetworkNamespace.Inside(
            server,
            () =>
                new[] { IPAddress.Any, IPAddress.IPv6Any }
                    .Select(address =>
                    {
                        var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
                        socket.Bind(new IPEndPoint(address, port));
                        socket.Listen();
                        return socket;
                    })
                    .ToArray()
        );
        foreach (Socket socket in _listening)
        {
            _ = ServeAsync(socket);
        }
    }

    public byte[] Hash { get; }

    public void Dispose()
    {
        foreach (Socket socket in _listening)
        {
            socket.Dispose();
        }
    }

    private async Task ServeAsync(Socket listening)
    {
        try
        {
            while (true)
            {
                _ = AnswerAsync(await listening.AcceptAsync());
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The test has ended.
        }
    }

    private async Task AnswerAsync(Socket client)
    {
        using (client)
        {
            try
            {
                await client.ReceiveAsync(new byte[4_096]);
                await using var stream = new NetworkStream(client);
                await stream.WriteAsync(
                    Encoding.ASCII.GetBytes($"HTTP/1.1 200 OK\r\nContent-Length: {_content.Length}\r\n\r\n")
                );
                await stream.WriteAsync(_content);
                client.Shutdown(SocketShutdown.Send);
                await client.ReceiveAsync(new byte[1]);
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException or IOException)
            {
                // Its client gave up, which the test sees for itself.
            }
        }
    }
}
