using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace CamCube.Services.KeyValue.Redis.Tests;

/// <summary>A client over TCP. Text is Latin-1: one character, one byte. Answers are read as people would write them:
/// <c>+OK</c>, <c>:1</c>, <c>"text"</c>, <c>nil</c>, <c>[:1 nil]</c>, <c>-ERR …</c>.</summary>
internal sealed class RedisClient : IDisposable
{
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly byte[] _buffer = new byte[64 << 10];
    private int _start;
    private int _end;

    private RedisClient() => _socket.NoDelay = true;

    public static async Task<RedisClient> ConnectAsync(int port, int? receiveBuffer = null)
    {
        var client = new RedisClient();
        if (receiveBuffer is { } size)
        {
            client._socket.ReceiveBufferSize = size;
        }

        await client._socket.ConnectAsync(IPAddress.Loopback, port).WaitAsync(RedisBed.Generous);
        return client;
    }

    /// <summary>A request as bytes.</summary>
    public static byte[] Encode(params IReadOnlyList<string> arguments)
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"*{arguments.Count}\r\n");
        foreach (string argument in arguments)
        {
            text.Append(CultureInfo.InvariantCulture, $"${argument.Length}\r\n{argument}\r\n");
        }

        return Encoding.Latin1.GetBytes(text.ToString());
    }

    public Task SendAsync(ReadOnlyMemory<byte> bytes) => SendAllAsync(bytes).WaitAsync(RedisBed.Generous);

    public Task SendAsync(string text) => SendAsync(Encoding.Latin1.GetBytes(text));

    /// <summary>Asks with words that have blanks between them.</summary>
    public Task<string> AskAsync(string words) => AskAsync(words.Split(' '));

    public async Task<string> AskAsync(params IReadOnlyList<string> arguments)
    {
        await SendAsync(Encode(arguments));
        return await ReadAsync();
    }

    /// <summary>Reads one answer; empty: the server has closed.</summary>
    public async Task<string> ReadAsync()
    {
        string line = await ReadLineAsync();
        if (line.Length == 0)
        {
            return "";
        }

        string rest = line[1..];
        switch (line[0])
        {
            case '$' or '=':
                int length = int.Parse(rest, CultureInfo.InvariantCulture);
                return length < 0 ? "nil" : $"\"{await ReadBytesAsync(length)}\"";
            case '*' or '~' or '%':
                int count = int.Parse(rest, CultureInfo.InvariantCulture);
                if (count < 0)
                {
                    return "nil array";
                }

                List<string> parts = [];
                for (int i = 0; i < count * (line[0] == '%' ? 2 : 1); i++)
                {
                    parts.Add(await ReadAsync());
                }

                string text = string.Join(' ', parts);
                return line[0] switch
                {
                    '*' => $"[{text}]",
                    '~' => $"~[{text}]",
                    _ => $"%[{text}]",
                };
            case '_':
                return "null";
            default:
                return line;
        }
    }

    /// <summary>All bytes that come until the server closes.</summary>
    public async Task<string> ReadToEndAsync()
    {
        var text = new StringBuilder();
        do
        {
            text.Append(Encoding.Latin1.GetString(_buffer, _start, _end - _start));
        } while (await FillAsync());
        return text.ToString();
    }

    /// <summary>Sends no more.</summary>
    public void EndOutput() => _socket.Shutdown(SocketShutdown.Send);

    /// <summary>The end will be a reset.</summary>
    public void Reset() => _socket.LingerState = new LingerOption(true, 0);

    public void Dispose() => _socket.Dispose();

    private async Task SendAllAsync(ReadOnlyMemory<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            bytes = bytes[await _socket.SendAsync(bytes)..];
        }
    }

    private async Task<string> ReadLineAsync()
    {
        var line = new StringBuilder();
        while (!line.ToString().EndsWith("\r\n", StringComparison.Ordinal))
        {
            if (_start == _end && !await FillAsync())
            {
                return "";
            }

            line.Append((char)_buffer[_start++]);
        }

        return line.ToString(0, line.Length - 2);
    }

    private async Task<string> ReadBytesAsync(int length)
    {
        byte[] bytes = new byte[length + 2];
        for (int done = 0; done < bytes.Length; )
        {
            Assert.True(_start < _end || await FillAsync(), "The server closed in the middle of an answer.");
            int some = Math.Min(_end - _start, bytes.Length - done);
            _buffer.AsSpan(_start, some).CopyTo(bytes.AsSpan(done));
            (_start, done) = (_start + some, done + some);
        }

        return Encoding.Latin1.GetString(bytes, 0, length);
    }

    private async Task<bool> FillAsync()
    {
        try
        {
            (_start, _end) = (0, await _socket.ReceiveAsync(_buffer).WaitAsync(RedisBed.Generous));
        }
        catch (SocketException)
        {
            // Reset: the other side closed with something unread.
            (_start, _end) = (0, 0);
        }

        return _end > 0;
    }
}
