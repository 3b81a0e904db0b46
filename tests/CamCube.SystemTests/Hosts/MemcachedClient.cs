using System.Net.Security;
using System.Net.Sockets;
using System.Text;

namespace CamCube.SystemTests.Hosts;

/// <summary>A plain memcached text client over one socket, written from the protocol's description.</summary>
internal sealed class MemcachedClient(Stream stream) : IDisposable
{
    private readonly byte[] _buffer = new byte[65_536];
    private int _start;
    private int _end;

    public static async Task<MemcachedClient> ConnectAsync(HostProcess host, int rank) =>
        new(new NetworkStream(await host.ConnectAsync(rank), ownsSocket: true));

    /// <summary>Connects to a port of this machine, with TLS if there are terms.</summary>
    public static async Task<MemcachedClient> ConnectAsync(int port, SslClientAuthenticationOptions? terms = null)
    {
        var network = new NetworkStream(await HostProcess.ConnectToAsync(port), ownsSocket: true);
        if (terms is null)
        {
            return new MemcachedClient(network);
        }

        var tls = new SslStream(network);
        await tls.AuthenticateAsClientAsync(terms);
        return new MemcachedClient(tls);
    }

    /// <summary>One line of <c>stats</c>.</summary>
    public async Task<string> StatAsync(string name)
    {
        string found = "",
            line = await SendAsync("stats\r\n");
        for (; line != "END"; line = await LineAsync())
        {
            found = line.StartsWith($"STAT {name} ", StringComparison.Ordinal) ? line.Split(' ')[2] : found;
        }

        return found;
    }

    public async Task<string> SendAsync(string text)
    {
        await stream.WriteAsync(Encoding.ASCII.GetBytes(text));
        return await LineAsync();
    }

    public Task<string> SetAsync(string key, string value) => SendAsync($"set {key} 0 0 {value.Length}\r\n{value}\r\n");

    /// <summary>Value and token, or null on a miss. A SERVER_ERROR is thrown.</summary>
    public async Task<(string Value, ulong Cas)?> GetsAsync(string key)
    {
        string line = await SendAsync($"gets {key}\r\n");
        if (line == "END")
        {
            return null;
        }

        string[] words = line.Split(' ');
        if (words[0] != "VALUE")
        {
            throw new InvalidOperationException(line);
        }

        string value = await BytesAsync(int.Parse(words[3], System.Globalization.CultureInfo.InvariantCulture) + 2);
        if (await LineAsync() != "END")
        {
            throw new InvalidOperationException("A value was not followed by END.");
        }

        return (value[..^2], ulong.Parse(words[4], System.Globalization.CultureInfo.InvariantCulture));
    }

    public async Task<string> LineAsync()
    {
        for (; ; )
        {
            int i = _buffer.AsSpan(_start, _end - _start).IndexOf((byte)'\n');
            if (i >= 0)
            {
                string line = Encoding.ASCII.GetString(_buffer, _start, i).TrimEnd('\r');
                _start += i + 1;
                return line;
            }

            await FillAsync();
        }
    }

    public void Dispose() => stream.Dispose();

    private async Task<string> BytesAsync(int count)
    {
        var text = new StringBuilder();
        while (text.Length < count)
        {
            if (_start == _end)
            {
                await FillAsync();
            }

            int n = Math.Min(count - text.Length, _end - _start);
            text.Append(Encoding.ASCII.GetString(_buffer, _start, n));
            _start += n;
        }

        return text.ToString();
    }

    private async Task FillAsync()
    {
        _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
        (_start, _end) = (0, _end - _start);
        using var time = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        int n = await stream.ReadAsync(_buffer.AsMemory(_end), time.Token);
        if (n == 0)
        {
            throw new EndOfStreamException("The server closed the connection.");
        }

        _end += n;
    }
}
