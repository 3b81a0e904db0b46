using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace CamCube.Services.KeyValue.Redis.Tests;

/// <summary>Runs alone: it reads the allocation count of the whole process.</summary>
[Collection(nameof(AllocationTests))]
[CollectionDefinition(nameof(AllocationTests), DisableParallelization = true)]
public sealed class AllocationTests
{
    private const int Rounds = 3_000;

    // The compiler makes an object of every async call in a debug build. A change allocates 785 bytes once all of it is
    // compiled well: what it does (120) with key and value (544), for these are lent to whoever sends or shows them,
    // and its entry in the group's log (88), which stays there for members that lack it.
#if DEBUG
    private const int More = 16_384;
#else
    private const int More = 0;
#endif

    [Theory]
    [InlineData("GET", 0)]
    [InlineData("STRLEN", 0)]
    [InlineData("SET", 1_536)]
    public async Task Reads_allocate_nothing_and_changes_their_entries(string command, int most)
    {
        await using RedisBed bed = await RedisBed.StartAsync();
        using var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        client.ReceiveTimeout = 60_000;
        client.Connect(IPAddress.Loopback, bed.FrontEnds[0].Port);
        string value = new('v', 512);
        using (RedisClient first = await bed.ConnectAsync())
        {
            Assert.Equal("+OK", await first.AskAsync("SET", "key", value));
        }

        const int Pipelined = 16;
        byte[] one = command == "SET" ? RedisClient.Encode("SET", "key", value) : RedisClient.Encode(command, "key");
        string answer = command switch
        {
            "GET" => string.Create(CultureInfo.InvariantCulture, $"${value.Length}\r\n{value}\r\n"),
            "SET" => "+OK\r\n",
            _ => ":512\r\n",
        };
        byte[] request = [.. Enumerable.Repeat(one, Pipelined).SelectMany(bytes => bytes)];
        byte[] reply = new byte[Pipelined * answer.Length];
        Exchange(client, request, reply, 2_000);
        Assert.Equal(answer, Encoding.Latin1.GetString(reply.AsSpan(reply.Length - answer.Length)));
        long least = long.MaxValue;
        for (int times = 0; times < 5; times++)
        {
            long before = GC.GetTotalAllocatedBytes(precise: true);
            Exchange(client, request, reply, Rounds / 5);
            least = Math.Min(least, (GC.GetTotalAllocatedBytes(precise: true) - before) / (Rounds / 5 * Pipelined));
        }

        TestContext.Current.TestOutputHelper!.WriteLine($"{least} bytes");
        Assert.InRange(least, 0, most + More);
    }

    private static void Exchange(Socket client, byte[] request, byte[] reply, int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            client.Send(request);
            for (int received = 0; received < reply.Length; )
            {
                int count = client.Receive(reply.AsSpan(received));
                Assert.True(count > 0);
                received += count;
            }
        }
    }
}
