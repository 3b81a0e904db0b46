using System.Text;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>Runs alone: it reads the allocation count of the whole process.</summary>
[Collection(nameof(AllocationTests))]
public sealed class LoopPartsAllocationTests
{
    private const int Rounds = 200,
        Batch = 100;

    [Fact]
    public async Task Commands_for_keys_of_all_parts_allocate_nothing()
    {
        await using LoopBed bed = new(
            new TorusShape(1, 1, 1),
            new CacheOptions(),
            new MemcachedFrontEndOptions(),
            parts: 3
        );
        await bed.StartAsync();
        using SocketClient client = await bed.ConnectAsync();
        string value = new('v', 512);
        byte[] request = Encoding.ASCII.GetBytes(
            string.Concat(Enumerable.Range(0, Batch).Select(i => $"set k{i} 0 0 512\r\n{value}\r\nget k{i}\r\n"))
        );
        string reply = string.Concat(
            Enumerable.Range(0, Batch).Select(i => $"STORED\r\nVALUE k{i} 0 512\r\n{value}\r\nEND\r\n")
        );
        await client.AskAsync(Encoding.ASCII.GetString(request), reply);
        long least = long.MaxValue;
        for (int i = 0; i < 5; i++)
        {
            least = Math.Min(least, await AllocatedAsync(client, request, reply.Length));
        }

        // What the client itself needs for a batch, through a stream's async calls, is a few objects.
        Assert.InRange(least / (Rounds * Batch * 2), 0, 8);
    }

    private static async Task<long> AllocatedAsync(SocketClient client, byte[] request, int replyLength)
    {
        var reply = new byte[replyLength];
        long before = GC.GetTotalAllocatedBytes(precise: true);
        for (int i = 0; i < Rounds; i++)
        {
            await client.AskAsync(request, reply);
        }

        return GC.GetTotalAllocatedBytes(precise: true) - before;
    }
}
