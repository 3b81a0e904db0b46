using System.Net;
using System.Net.Sockets;
using System.Text;

namespace CamCube.Services.Cache.Tests.Memcached;

/// <summary>A client over TCP. Text is Latin-1: one character, one byte.</summary>
internal sealed class SocketClient : IDisposable
{
    private static readonly TimeSpan TimeOut = TimeSpan.FromSeconds(60);

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    private SocketClient()
    {
    }

    public static async Task<SocketClient> ConnectAsync(int port, int? receiveBuffer = null)
    {
        var client = new SocketClient();
        if (receiveBuffer is { } size)
            client._socket.ReceiveBufferSize = size;
        await client._socket.ConnectAsync(IPAddress.Loopback, port).WaitAsync(TimeOut);
        return client;
    }

    public async Task SendAsync(string text) => await SendAsync(Encoding.Latin1.GetBytes(text));

    public async Task SendAsync(ReadOnlyMemory<byte> bytes)
    {
        while (!bytes.IsEmpty)
            bytes = bytes[await _socket.SendAsync(bytes).AsTask().WaitAsync(TimeOut)..];
    }

    public void EndOutput() => _socket.Shutdown(SocketShutdown.Send);

    /// <summary>Receives as many bytes as the text has, and compares.</summary>
    public async Task ExpectAsync(string text)
    {
        var buffer = new byte[text.Length];
        int count = 0;
        while (count < buffer.Length)
        {
            int received = await _socket.ReceiveAsync(buffer.AsMemory(count)).AsTask().WaitAsync(TimeOut);
            if (received == 0)
                break;
            count += received;
        }

        Assert.Equal(text, Encoding.Latin1.GetString(buffer, 0, count));
    }

    /// <summary>Receives until the text ends so.</summary>
    public async Task<string> ReceiveUntilAsync(string end)
    {
        var text = new StringBuilder();
        var buffer = new byte[64 << 10];
        while (!text.ToString().EndsWith(end, StringComparison.Ordinal)
            && await _socket.ReceiveAsync(buffer).WaitAsync(TimeOut) is > 0 and int count)
            text.Append(Encoding.Latin1.GetString(buffer, 0, count));
        return text.ToString();
    }

    public async Task AskAsync(string request, string reply)
    {
        await SendAsync(request);
        await ExpectAsync(reply);
    }

    /// <summary>Receives until the other side closes, orderly or not.</summary>
    public async Task<string> ReceiveToEndAsync()
    {
        var text = new StringBuilder();
        var buffer = new byte[64 << 10];
        try
        {
            while (await _socket.ReceiveAsync(buffer).WaitAsync(TimeOut) is > 0 and int count)
                text.Append(Encoding.Latin1.GetString(buffer, 0, count));
        }
        catch (SocketException)
        {
            // Reset: the other side closed with something unread.
        }

        return text.ToString();
    }

    public void Dispose() => _socket.Dispose();
}
