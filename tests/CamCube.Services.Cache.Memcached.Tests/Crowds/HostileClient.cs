using System.Net.Sockets;

namespace CamCube.Services.Cache.Memcached.Tests.Crowds;

/// <summary>Comes again and again, asks for nothing that it could get, and reads no answer. What it sends of another
/// client's items is never whole.</summary>
/// <param name="bed">The front end.</param>
/// <param name="seed">Draws what it does.</param>
internal sealed class HostileClient(LoopBed bed, int seed)
{
    private readonly Random _random = new(seed);

    /// <summary>Goes on until it is over.</summary>
    public async Task RunAsync(CancellationToken over)
    {
        for (int i = 0; !over.IsCancellationRequested; i++)
        {
            using SocketClient client = await bed.ConnectAsync(receiveBuffer: 4_096);
            try
            {
                await HarmAsync(client, i % 5);
            }
            catch (Exception e) when (e is SocketException or IOException)
            {
                // The server had enough of it.
            }
        }
    }

    private async Task HarmAsync(SocketClient client, int way)
    {
        switch (way)
        {
            case 0:
                byte[] noise = new byte[4_096];
                _random.NextBytes(noise);
                await client.SendAsync(noise);
                break;
            case 1:
                client.SendUrgent();
                await client.SendAsync("set c0-0 0 0 6\r\nothers");
                client.Reset();
                break;
            case 2:
                await client.SendAsync("get " + new string('k', 10_000));
                break;
            case 3:
                await client.SendAsync(string.Concat(Enumerable.Repeat("get c0-0 c0-1 c0-2 c0-3\r\n", 5_000)));
                client.Reset();
                break;
            default:
                await client.SendAsync("set c1-1 0 0 1000000\r\n" + new string('x', 100_000));
                break;
        }
    }
}
