using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace PingPongSample;

/// <summary>The same with sockets: who plays has to know where the other is, and nobody tells when that has
/// changed.</summary>
public static class PingPongSockets
{
    /// <summary>Answers until it is cancelled.</summary>
    public static async Task ServeAsync(Socket socket, CancellationToken cancel)
    {
        byte[] bytes = new byte[65_535];
        EndPoint anyone = new IPEndPoint(IPAddress.Any, 0);
        try
        {
            while (true)
            {
                SocketReceiveFromResult ping = await socket.ReceiveFromAsync(bytes, SocketFlags.None, anyone, cancel);
                await socket.SendToAsync(
                    bytes.AsMemory(0, ping.ReceivedBytes),
                    SocketFlags.None,
                    ping.RemoteEndPoint,
                    cancel
                );
            }
        }
        catch (OperationCanceledException)
        {
            // It was told to end.
        }
    }

    /// <summary>Microseconds of a round; null: no answer within a second.</summary>
    public static async Task<double?> PlayAsync(IPEndPoint to, int count, int size, CancellationToken cancel)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        await socket.ConnectAsync(to, cancel);
        byte[] ping = new byte[size],
            pong = new byte[size];
        long began = Stopwatch.GetTimestamp();
        for (int i = 0; i < count; i++)
        {
            await socket.SendAsync(ping, SocketFlags.None, cancel);
            using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancel);
            patience.CancelAfter(TimeSpan.FromSeconds(1));
            try
            {
                await socket.ReceiveAsync(pong, SocketFlags.None, patience.Token);
            }
            catch (OperationCanceledException) when (!cancel.IsCancellationRequested)
            {
                return null;
            }
        }

        return Stopwatch.GetElapsedTime(began).TotalMicroseconds / count;
    }
}
