using System.Net;
using System.Net.Sockets;
using System.Text;

namespace CamCube.Loads.Tests.Kit;

/// <summary>A server that says the same to everybody who asks something, and then ends the connection or not.</summary>
public sealed class SaidServer : IAsyncDisposable
{
    private readonly CancellationTokenSource _end = new();
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly bool _knowsPing;
    private readonly bool _closes;
    private readonly byte[] _said;

    /// <summary>A server.</summary>
    /// <param name="said">What it says each time something comes.</param>
    /// <param name="closes">It ends the connection then.</param>
    /// <param name="knowsPing">A PING is answered as it should be.</param>
    public SaidServer(string said, bool closes = false, bool knowsPing = true)
    {
        (_said, _closes, _knowsPing) = (Encoding.Latin1.GetBytes(said), closes, knowsPing);
        _listener.Start();
        _ = AcceptAsync();
    }

    /// <summary>Where it is.</summary>
    public IPEndPoint Endpoint => (IPEndPoint)_listener.LocalEndpoint;

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
                _ = ServeAsync(await _listener.AcceptSocketAsync(_end.Token));
            }
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // Over.
        }
    }

    private async Task ServeAsync(Socket socket)
    {
        using (socket)
        {
            byte[] bytes = new byte[64 << 10];
            try
            {
                while (await socket.ReceiveAsync(bytes, _end.Token) is > 0 and int count)
                {
                    bool isPing = _knowsPing && bytes.AsSpan(0, count).IndexOf("PING"u8) >= 0;
                    await socket.SendAsync(isPing ? "+PONG\r\n"u8.ToArray() : _said, _end.Token);
                    if (_closes && !isPing)
                    {
                        return;
                    }
                }
            }
            catch (Exception e) when (e is OperationCanceledException or SocketException or ObjectDisposedException)
            {
                // Over.
            }
        }
    }
}
