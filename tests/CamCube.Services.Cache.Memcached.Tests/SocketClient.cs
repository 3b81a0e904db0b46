using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Text;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>A client over TCP, with TLS or without. Text is Latin-1: one character, one byte.</summary>
internal sealed class SocketClient : IDisposable
{
    private static readonly TimeSpan TimeOut = TimeSpan.FromSeconds(60);

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private Stream _stream = Stream.Null;

    private SocketClient() { }

    /// <summary>Its own port.</summary>
    public int LocalPort => ((IPEndPoint)_socket.LocalEndPoint!).Port;

    /// <summary>TLS of this client, if it has any.</summary>
    public SslStream? Tls => _stream as SslStream;

    public static async Task<SocketClient> ConnectAsync(int port, int? receiveBuffer = null)
    {
        var client = new SocketClient();
        if (receiveBuffer is { } size)
        {
            client._socket.ReceiveBufferSize = size;
        }

        await client._socket.ConnectAsync(IPAddress.Loopback, port).WaitAsync(TimeOut);
        client._stream = new NetworkStream(client._socket);
        return client;
    }

    /// <summary>Connects and agrees on TLS.</summary>
    public static async Task<SocketClient> ConnectTlsAsync(
        int port,
        SslClientAuthenticationOptions terms,
        int? receiveBuffer = null
    )
    {
        SocketClient client = await ConnectAsync(port, receiveBuffer);
        var tls = new SslStream(client._stream);
        try
        {
            await tls.AuthenticateAsClientAsync(terms).WaitAsync(TimeOut);
        }
        catch
        {
            client.Dispose();
            throw;
        }

        client._stream = tls;
        return client;
    }

    public async Task SendAsync(string text) => await SendAsync(Encoding.Latin1.GetBytes(text));

    public Task SendAsync(ReadOnlyMemory<byte> bytes) => _stream.WriteAsync(bytes).AsTask().WaitAsync(TimeOut);

    /// <summary>Sends past TLS.</summary>
    public Task SendRawAsync(byte[] bytes) => _socket.SendAsync(bytes).WaitAsync(TimeOut);

    /// <summary>Sends a byte out of band, and no byte of the stream.</summary>
    public void SendUrgent() => _socket.Send([(byte)'!'], SocketFlags.OutOfBand);

    /// <summary>The end will be a reset.</summary>
    public void Reset() => _socket.LingerState = new LingerOption(true, 0);

    public void EndOutput() => _socket.Shutdown(SocketShutdown.Send);

    /// <summary>Says in TLS that it sends no more.</summary>
    public Task EndTlsAsync() => Tls!.ShutdownAsync().WaitAsync(TimeOut);

    /// <summary>Receives as many bytes as the text has, and compares. A failure shows what came behind them, too.
    /// </summary>
    public async Task ExpectAsync(string text)
    {
        string received = await ReceiveAsync(text.Length);
        if (received != text && Tls is null && _socket.Available is > 0 and int more)
        {
            received += await ReceiveAsync(more);
        }

        Assert.Equal(text, received);
    }

    /// <summary>Receives so many bytes, or until the other side closes.</summary>
    public async Task<string> ReceiveAsync(int length)
    {
        var buffer = new byte[length];
        int count = 0;
        while (count < buffer.Length)
        {
            int received = await _stream.ReadAsync(buffer.AsMemory(count)).AsTask().WaitAsync(TimeOut);
            if (received == 0)
            {
                break;
            }

            count += received;
        }

        return Encoding.Latin1.GetString(buffer, 0, count);
    }

    /// <summary>Receives until the text ends so.</summary>
    public async Task<string> ReceiveUntilAsync(string end)
    {
        var text = new StringBuilder();
        var buffer = new byte[64 << 10];
        while (
            !text.ToString().EndsWith(end, StringComparison.Ordinal)
            && await _stream.ReadAsync(buffer).AsTask().WaitAsync(TimeOut) is > 0 and int count
        )
        {
            text.Append(Encoding.Latin1.GetString(buffer, 0, count));
        }

        return text.ToString();
    }

    public async Task AskAsync(string request, string reply)
    {
        await SendAsync(request);
        await ExpectAsync(reply);
    }

    /// <summary>Sends, and receives as many bytes as there is room for.</summary>
    public async Task AskAsync(ReadOnlyMemory<byte> request, Memory<byte> reply)
    {
        await SendAsync(request);
        await _stream.ReadExactlyAsync(reply).AsTask().WaitAsync(TimeOut);
    }

    /// <summary>One line of <c>stats</c>. Counts that only this cache has are told when they are not 0.</summary>
    public async Task<string> StatAsync(string name)
    {
        await SendAsync("stats\r\n");
        string text = await ReceiveUntilAsync("END\r\n");
        Assert.EndsWith("END\r\n", text);
        return text.Split("\r\n")
                .SingleOrDefault(line => line.StartsWith($"STAT {name} ", StringComparison.Ordinal))
                ?.Split(' ')[2]
            ?? "0";
    }

    /// <summary>Receives until the other side closes, orderly or not.</summary>
    public async Task<string> ReceiveToEndAsync()
    {
        var text = new StringBuilder();
        var buffer = new byte[64 << 10];
        try
        {
            while (await _stream.ReadAsync(buffer).AsTask().WaitAsync(TimeOut) is > 0 and int count)
            {
                text.Append(Encoding.Latin1.GetString(buffer, 0, count));
            }
        }
        catch (IOException)
        {
            // Reset: the other side closed with something unread.
        }

        return text.ToString();
    }

    public void Dispose()
    {
        _socket.Dispose();
        _stream.Dispose();
    }
}
