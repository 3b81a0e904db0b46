using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using CamCube.Loads.Settings;

namespace CamCube.Loads.Tests.Kit;

/// <summary>What a load asks of the store's front end over HTTP, in memory.</summary>
public sealed class HttpStoreFake : IAsyncDisposable
{
    private readonly CancellationTokenSource _end = new();
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly Dictionary<string, string> _keys = [];
    private readonly Lock _lock = new();

    /// <summary>A front end.</summary>
    public HttpStoreFake()
    {
        _listener.Start();
        _ = AcceptAsync();
    }

    /// <summary>Where it is.</summary>
    public LoadEndpoint Endpoint => new("127.0.0.1", ((IPEndPoint)_listener.LocalEndpoint).Port);

    /// <summary>The status of all answers; null: as it should be.</summary>
    public int? Status { get; init; }

    /// <summary>Keys that are there.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _keys.Count;
            }
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        _listener.Stop();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                _ = ServeAsync(await _listener.AcceptTcpClientAsync(_end.Token));
            }
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // Over.
        }
    }

    private async Task ServeAsync(TcpClient client)
    {
        using (client)
        {
            client.NoDelay = true;
            using var reader = new StreamReader(client.GetStream(), Encoding.Latin1);
            try
            {
                while (await reader.ReadLineAsync(_end.Token) is { } request)
                {
                    int length = 0;
                    while (await reader.ReadLineAsync(_end.Token) is { Length: > 0 } header)
                    {
                        string[] words = header.Split(':', 2);
                        length = words[0].Equals("Content-Length", StringComparison.OrdinalIgnoreCase)
                            ? int.Parse(words[1], CultureInfo.InvariantCulture)
                            : length;
                    }

                    char[] body = new char[length];
                    if (length > 0)
                    {
                        await reader.ReadBlockAsync(body, _end.Token);
                    }

                    string[] line = request.Split(' ');
                    (int status, string answer) = Status is { } all
                        ? (all, "?")
                        : Do(line[0], line[1].Split('?')[0], new string(body));
                    byte[] bytes = Encoding.Latin1.GetBytes(
                        $"HTTP/1.1 {status} X\r\nContent-Length: {answer.Length}\r\n\r\n{answer}"
                    );
                    await client.GetStream().WriteAsync(bytes, _end.Token);
                }
            }
            catch (Exception e) when (e is OperationCanceledException or IOException or ObjectDisposedException)
            {
                // Over.
            }
        }
    }

    private (int Status, string Answer) Do(string method, string key, string body)
    {
        lock (_lock)
        {
            switch (method)
            {
                case "PUT":
                    _keys[key] = body;
                    return (201, "");
                case "DELETE":
                    return (_keys.Remove(key) ? 200 : 404, "");
                case "POST":
                    long sum = long.Parse(_keys.GetValueOrDefault(key, "0"), CultureInfo.InvariantCulture) + 1;
                    return (200, _keys[key] = $"{sum}");
                default:
                    return _keys.TryGetValue(key, out string? value) ? (200, value) : (404, "");
            }
        }
    }
}
