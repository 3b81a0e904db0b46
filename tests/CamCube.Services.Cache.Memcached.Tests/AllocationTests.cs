using System.Net;
using System.Net.Sockets;
using System.Text;
using CamCube.Services.Cache.Memcached;
using CamCube.Services.Cache.Memcached.Settings;
using CamCube.Tests;

namespace CamCube.Services.Cache.Memcached.Tests;

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

    /// <summary>What is asked and what comes back, of each protocol.</summary>
    public static TheoryData<string, string> Exchanges
    {
        get
        {
            string value = new('v', 512),
                flags = BinaryFrame.Number32(1);
            var set = new BinaryFrame
            {
                Opcode = 1,
                Key = "key",
                Extras = flags + BinaryFrame.Number32(0),
                Value = value,
            };
            var get = new BinaryFrame { Opcode = 0, Key = "key" };
            var found = new BinaryFrame
            {
                Opcode = 0,
                Extras = flags,
                Value = value,
            };
            return new TheoryData<string, string>
            {
                { $"set key 1 0 512\r\n{value}\r\nget key\r\n", $"STORED\r\nVALUE key 1 512\r\n{value}\r\nEND\r\n" },
                {
                    $"ms key 512 F1 Oabc k c\r\n{value}\r\nmg key v f s Oabc k c\r\n",
                    $"HD Oabc kkey c1\r\nVA 512 f1 s512 Oabc kkey c1\r\n{value}\r\n"
                },
                { set.ToRequest() + get.ToRequest(), new BinaryFrame().ToRequest() + found.ToRequest() },
            };
        }
    }

    [Theory]
    [MemberData(nameof(Exchanges))]
    public async Task Hits_and_sets_allocate_nothing_worth_naming(string asked, string answered)
    {
        foreach (int pipelined in (int[])[1, 16])
        {
            await using var frontEnd = new MemcachedFrontEnd(
                new OneItemCache(),
                new MemcachedFrontEndOptions(),
                new ErrorLog<MemcachedFrontEnd>(),
                TimeProvider.System
            );
            await frontEnd.StartAsync(new FrontEndEndpoint(IPAddress.Loopback, 0), default);

            // A socket that never did anything async blocks in the system, without an object per wait.
            using var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            client.ReceiveTimeout = 60_000;
            client.Connect(IPAddress.Loopback, frontEnd.Port);

            byte[] request = Encoding.Latin1.GetBytes(string.Concat(Enumerable.Repeat(asked, pipelined)));
            byte[] reply = new byte[pipelined * answered.Length];
            Exchange(client, request, reply, 500);
            Assert.Equal(answered[^100..], Encoding.Latin1.GetString(reply.AsSpan(reply.Length - 100)));

            long before = GC.GetTotalAllocatedBytes(precise: true);
            Exchange(client, request, reply, Rounds);
            long perCommand = (GC.GetTotalAllocatedBytes(precise: true) - before) / (Rounds * pipelined * 2);
            Assert.InRange(perCommand, 0, AllowedBytesPerCommand);
        }
    }

    private static void Exchange(Socket client, byte[] request, byte[] reply, int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            client.Send(request);
            for (int count = 0; count < reply.Length; )
            {
                count += client.Receive(reply.AsSpan(count));
            }
        }
    }
}
