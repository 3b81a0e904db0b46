using System.Net.Sockets;
using System.Text;

namespace CamCube.SystemTests.Hosts;

public sealed class ManyClientsTests
{
    [Fact]
    public async Task A_thousand_clients_at_once_and_some_that_send_half_a_command_disturb_nobody()
    {
        await using HostProcess host = await HostProcess.StartAsync();
        var half = new List<Socket>();
        for (int i = 0; i < 27; i++)
        {
            Socket socket = await host.ConnectAsync(i);
            await socket.SendAsync(Encoding.ASCII.GetBytes("set unfinished 0 0 1000\r\nhalf of i"));
            half.Add(socket);
        }

        using Socket huge = await host.ConnectAsync(0);
        await huge.SendAsync(Encoding.ASCII.GetBytes("set huge 0 0 2147483648\r\n"));

        await Task.WhenAll(Enumerable.Range(0, 1_000).Select(i => UseAsync(host, i)));
        half.ForEach(s => s.Dispose());
    }

    private static async Task UseAsync(HostProcess host, int i)
    {
        using MemcachedClient client = await MemcachedClient.ConnectAsync(host, i % 27);
        for (int round = 0; round < 5; round++)
        {
            Assert.Equal("STORED", await client.SetAsync($"many{i}", $"{i}.{round}"));
            Assert.Equal($"{i}.{round}", (await client.GetsAsync($"many{i}"))?.Value);
        }
    }
}
