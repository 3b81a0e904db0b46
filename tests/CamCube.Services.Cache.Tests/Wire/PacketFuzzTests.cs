using System.Globalization;
using System.Runtime.InteropServices;
using CamCube.Messaging;
using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Tests.Cubes;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Tests.Wire;

/// <summary>
/// Any packet of the cache, from any server, at any moment: no fault and no leak, and clients go on. 100,000 per run,
/// or as many as <c>CAMCUBE_FUZZ_INPUTS</c> says.
/// </summary>
public sealed class PacketFuzzTests(ITestOutputHelper output)
{
    private const int Batch = 32;
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0);

    [Fact]
    public void No_packet_makes_the_cache_fault_or_leak()
    {
        int seed = NumberOf("CAMCUBE_FUZZ_SEED") ?? new Random().Next();
        int inputs = NumberOf("CAMCUBE_FUZZ_INPUTS") ?? 100_000;
        output.WriteLine($"seed {seed}, {inputs} inputs");
        Fuzz(seed, inputs);
    }

    [Theory]
    [InlineData((int)PacketKind.Lookup, 251)]
    [InlineData((int)PacketKind.Lookup, 255)]
    [InlineData((int)PacketKind.Copy, 251)]
    [InlineData((int)PacketKind.Copy, 255)]
    [InlineData((int)PacketKind.Fetch, 251)]
    [InlineData((int)PacketKind.Read, 251)]
    [InlineData((int)PacketKind.Change, 251)]
    [InlineData((int)PacketKind.Change, 255)]
    [InlineData((int)PacketKind.Lookup, 0)]
    [InlineData((int)PacketKind.Read, 0)]
    [InlineData((int)PacketKind.Change, 0)]
    [InlineData(16, 5)]
    public void A_key_that_no_client_can_have_is_dropped_and_counted_and_no_item_is_lost(int kindNumber, int keyLength)
    {
        var kind = (PacketKind)kindNumber;
        using var cube = new CacheCube(2, 1, 1);
        string key = cube.KeyAt(B);
        cube.Set(A, key, "kept");
        int before = kind switch
        {
            PacketKind.Change => ChangeHead.Size,
            PacketKind.Fetch => FetchHead.Size,
            PacketKind.Copy => CopyHead.Size,
            _ => 0,
        };
        byte[] body = new byte[before + keyLength + (kind == PacketKind.Copy ? AnswerHead.Size : 0)];
        if (kind == PacketKind.Copy)
        {
            MemoryMarshal.Write(
                body,
                new CopyHead
                {
                    Fetch = new FetchHead { IsSame = 1, Asker = A },
                }
            );
        }

        // As a receiver of raw frames may meet it: the key's home is the other server, so a lookup would be passed on.
        var header = new CacheHeader
        {
            Kind = (byte)kind,
            KeyLength = (byte)keyLength,
            MemId = Key.OfName(cube.KeyAt(A)),
        };
        (header.Message.Length, header.Message.PieceLength) = ((uint)body.Length, (ushort)Math.Max(1, body.Length));
        header.Message.Kind = MessageKind.Piece;
        IServer server = cube.Cube[A].ServerOf<CacheService>();
        Assert.True(server.Packets.TryRent(body.Length, out Packet? packet));
        packet.Header<CacheHeader>() = header;
        body.CopyTo(packet.WritableBody());
        Assert.Equal(SendResult.Accepted, server.Send(packet, B));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        Assert.Empty(cube.Cube.Faults);
        Assert.Equal(1, cube[B].Counters[CacheCount.Malformed].Value);
        Assert.Equal("kept", cube.Get(A, key));
        Assert.Equal(1, cube[B].Counters[CacheCount.CurrItems].Value);
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(20_260_101)]
    public void No_packet_of_these_seeds_makes_the_cache_fault_or_leak(int seed) => Fuzz(seed, 20_000);

    private void Fuzz(int seed, int inputs)
    {
        var random = new Random(seed);
        var options = new CacheOptions
        {
            MemoryLimit = 1 << 20,
            MaxValueLength = 1_024,
            CopyMemory = 1 << 16,
            AssemblyMemory = 1 << 16,
            RecentAnswers = 256,
            DefaultReplicas = 2,
        };
        using var cube = new CacheCube(2, 2, 1, options);
        string[] keys = [.. Enumerable.Range(0, 6).Select(i => $"key-{i}"), new string('k', 250)];
        var packets = new DrawnPackets(random, cube.Cube.Shape) { Keys = keys };
        cube.Set(A, keys[0], "first");
        cube.Cube.Lose = (_, _, packet) =>
        {
            if (packet.Service.Value == 0x0110)
            {
                packets.See(packet.Header<CacheHeader>(), packet.Body);
            }

            return false;
        };
        var running = new List<Task<CacheReply>>();
        long ended = 0;
        for (int i = 0; i < inputs; i += Batch)
        {
            for (int j = 0; j < Batch; j++)
            {
                Inject(cube, packets, random, keys);
            }

            ended += running.RemoveAll(static t => t.IsCompleted);
            if (running.Count < 8)
            {
                running.Add(Begin(cube, random, keys));
            }

            cube.Cube.Advance(TimeSpan.FromMicroseconds(random.Next(64) == 0 ? 50_000 : random.Next(300)));
            Assert.True(
                cube.Cube.Faults.Count == 0,
                $"seed {seed}, input {i} to {i + Batch}: {cube.Cube.Faults.FirstOrDefault()}"
            );
        }

        cube.Cube.Lose = null;
        cube.Cube.AwaitUntil(() => running.TrueForAll(static t => t.IsCompleted));
        output.WriteLine($"{ended} operations; packets by kind: {string.Join(' ', packets.ByKind)}");
        Assert.True(ended > inputs / 1_000, $"seed {seed}: {ended} operations ended");
        Assert.DoesNotContain(0L, packets.ByKind[1..]);
        cube.AssertQuiet();
    }

    private static int? NumberOf(string variable) =>
        Environment.GetEnvironmentVariable(variable) is { } text ? int.Parse(text, CultureInfo.InvariantCulture) : null;

    private static void Inject(CacheCube cube, DrawnPackets packets, Random random, string[] keys)
    {
        CacheHeader header = packets.Next(out ReadOnlySpan<byte> body);
        IServer server = cube.Cube[random.Next(cube.Cube.Shape.Count)].ServerOf<CacheService>();
        body = body[..Math.Min(body.Length, server.Packets.MaxPayload - 60)];
        if (server.Packets.TryRent(body.Length, out Packet? packet))
        {
            packet.Header<CacheHeader>() = header;
            body.CopyTo(packet.WritableBody());
            server.Send(
                packet,
                random.Next(3) switch
                {
                    0 => Key.OfName(keys[random.Next(keys.Length)]),
                    1 => header.MemId,
                    _ => cube.Cube.Shape.At(random.Next(cube.Cube.Shape.Count)),
                }
            );
        }
    }

    private static Task<CacheReply> Begin(CacheCube cube, Random random, string[] keys)
    {
        CacheOperation operation =
            random.Next(3) == 0 ? (CacheOperation)random.Next((int)CacheOperation.Touch + 1) : CacheOperation.Get;
        Coordinate at = random.Next(2) == 0 ? A : B;
        return cube.Start(
                at,
                operation,
                keys[random.Next(keys.Length)],
                CacheCube.Value(random.Next(1_024), 1),
                expiry: random.Next(3)
            )
            .AsTask();
    }
}
