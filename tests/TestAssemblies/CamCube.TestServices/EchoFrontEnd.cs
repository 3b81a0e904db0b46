using System.Net.Sockets;
using Microsoft.Extensions.Logging;

namespace CamCube.TestServices;

/// <summary>Greets each client and answers its lines with those of <see cref="IEcho"/> on its server.</summary>
[FrontEnd("echo", 17_000)]
public sealed class EchoFrontEnd(IServerGate gate, EchoFrontEndOptions options, ILogger<EchoFrontEnd> logger)
    : IFrontEnd
{
    private readonly List<TcpClient> _clients = [];
    private readonly Lock _lock = new();
    private TcpListener? _listener;

    /// <inheritdoc/>
    public ValueTask StartAsync(FrontEndEndpoint endpoint, CancellationToken cancel)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        ArgumentNullException.ThrowIfNull(logger);
        if (options.Broken == gate.Coordinate)
        {
            throw new FrontEndException("it is broken, as it was told to be");
        }

        var listener = new TcpListener(endpoint.Address, endpoint.Port);
        try
        {
            listener.Start();
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.AddressAlreadyInUse)
        {
            throw new FrontEndException("the port is taken", isPortInUse: true, e);
        }

        _listener = listener;
        _ = AcceptAsync(listener);
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask DrainAsync(CancellationToken cancel)
    {
        _listener?.Stop();
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask StopAsync()
    {
        _listener?.Stop();
        _listener = null;
        lock (_lock)
        {
            _clients.ForEach(client => client.Dispose());
            _clients.Clear();
        }

        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => StopAsync();

    private async Task AcceptAsync(TcpListener listener)
    {
        try
        {
            while (true)
            {
                TcpClient client = await listener.AcceptTcpClientAsync();
                lock (_lock)
                {
                    _clients.Add(client);
                }

                _ = ServeAsync(client);
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or InvalidOperationException)
        {
            // Stopped.
        }
    }

    private async Task ServeAsync(TcpClient client)
    {
        try
        {
            using StreamReader reader = new(client.GetStream());
            await using StreamWriter writer = new(client.GetStream()) { AutoFlush = true };
            await writer.WriteLineAsync($"{options.Welcome} {gate.Coordinate}");
            while (await reader.ReadLineAsync() is { } line)
            {
                await writer.WriteLineAsync(await AnswerAsync(line));
            }
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException or InvalidOperationException)
        {
            // Disconnected.
        }
    }

    private async Task<string> AnswerAsync(string line)
    {
        try
        {
            return await gate.CallAsync<IEcho, string, string>(static (echo, text) => new(echo.Echo(text)), line);
        }
        catch (Exception e)
        {
            return $"error {e.GetType().Name}";
        }
    }
}
