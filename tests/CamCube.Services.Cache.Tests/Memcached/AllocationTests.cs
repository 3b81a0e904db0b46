using System.Net;
using System.Net.Sockets;
using System.Text;
using CamCube.Services.Cache.FrontEnds;

namespace CamCube.Services.Cache.Tests.Memcached;

/// <summary>Runs alone: it reads the allocation count of the whole process.</summary>
[Collection(nameof(AllocationTests))]
[CollectionDefinition(nameof(AllocationTests), DisableParallelization = true)]
public sealed class AllocationTests
{
    private const int Rounds = 5000;

    // The compiler makes an object of every async call in a debug build.
#if DEBUG
    private const int AllowedBytesPerCommand = 512;
#else
    private const int AllowedBytesPerCommand = 8;
#endif

    [Theory]
    [InlineData(1)]
    [InlineData(16)]
    public async Task Hits_and_sets_allocate_nothing_worth_naming(int pipelined)
    {
        await using var frontEnd = new MemcachedFrontEnd(
            new OneItemCache(), new MemcachedFrontEndOptions(), new ErrorLog());
        await frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), default);

        // A socket that never did anything async blocks in the system, without an object per wait.
        using var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        client.ReceiveTimeout = 60_000;
        client.Connect(IPAddress.Loopback, frontEnd.Port);

        string value = new('v', 512);
        string set = $"set key 1 0 512\r\n{value}\r\n";
        byte[] request = Encoding.Latin1.GetBytes(string.Concat(Enumerable.Repeat(set + "get key\r\n", pipelined)));
        int replyLength = pipelined * ("STORED\r\n".Length + $"VALUE key 1 512\r\n{value}\r\nEND\r\n".Length);
        byte[] reply = new byte[replyLength];
        Exchange(client, request, reply, 500);

        long before = GC.GetTotalAllocatedBytes(precise: true);
        Exchange(client, request, reply, Rounds);
        long perCommand = (GC.GetTotalAllocatedBytes(precise: true) - before) / (Rounds * pipelined * 2);
        Assert.InRange(perCommand, 0, AllowedBytesPerCommand);
    }

    private static void Exchange(Socket client, byte[] request, byte[] reply, int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            client.Send(request);
            for (int count = 0; count < reply.Length;)
                count += client.Receive(reply.AsSpan(count));
        }
    }
}
