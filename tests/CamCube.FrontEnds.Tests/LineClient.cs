using System.Net;
using System.Net.Sockets;
using System.Text;

namespace CamCube.FrontEnds.Tests;

/// <summary>A client over TCP, in ASCII.</summary>
internal sealed class LineClient : IDisposable
{
    private static readonly TimeSpan TimeOut = TimeSpan.FromSeconds(60);
    private readonly TcpClient _client = new();

    public static async Task<LineClient> ConnectAsync(int port)
    {
        var client = new LineClient();
        await client._client.ConnectAsync(IPAddress.Loopback, port).WaitAsync(TimeOut);
        return client;
    }

    public async Task SendAsync(string text) =>
        await _client.GetStream().WriteAsync(Encoding.ASCII.GetBytes(text)).AsTask().WaitAsync(TimeOut);

    /// <summary>Sends and receives as much as is expected.</summary>
    public async Task AskAsync(string text, string expected)
    {
        await SendAsync(text);
        Assert.Equal(expected, await ReceiveAsync(expected.Length));
    }

    public async Task<string> ReceiveAsync(int length)
    {
        byte[] bytes = new byte[length];
        int count = await _client
            .GetStream()
            .ReadAtLeastAsync(bytes, length, throwOnEndOfStream: false)
            .AsTask()
            .WaitAsync(TimeOut);
        return Encoding.ASCII.GetString(bytes, 0, count);
    }

    /// <summary>Ends when the server has closed the connection.</summary>
    public async Task ExpectEndAsync()
    {
        try
        {
            Assert.Equal("", await ReceiveAsync(1));
        }
        catch (IOException)
        {
            // Closed with bytes of ours unread.
        }
    }

    public void Dispose() => _client.Dispose();
}
