using System.Globalization;
using System.Runtime.InteropServices;
using CamCube.Calls.Tests.Ledgers;
using CamCube.Messaging;

namespace CamCube.Calls.Tests.Wire;

/// <summary>
/// A hostile peer: any packet of a service that makes calls, from any server, at any moment. No fault and no leak, and
/// clients' calls go on. 50,000 per run, or as many as <c>CAMCUBE_FUZZ_INPUTS</c> says.
/// </summary>
public sealed class CallFuzzTests(ITestOutputHelper output)
{
    private const int Batch = 32;
    private const int MostBody = 1_400;
    private const int MostSeen = 512;

    [Fact]
    public void No_packet_makes_calls_fault_or_leak()
    {
        int seed = NumberOf("CAMCUBE_FUZZ_SEED") ?? new Random().Next();
        int inputs = NumberOf("CAMCUBE_FUZZ_INPUTS") ?? 50_000;
        output.WriteLine($"seed {seed}, {inputs} inputs");
        Fuzz(seed, inputs);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(20_260_101)]
    public void No_packet_of_these_seeds_makes_calls_fault_or_leak(int seed) => Fuzz(seed, 20_000);

    [Theory]
    [InlineData(LedgerKind.Refusal, RefusalHead.Size)]
    [InlineData(LedgerKind.Sum, SumHead.Size)]
    [InlineData(LedgerKind.Add, LedgerHead.Size)]
    public void What_is_too_short_is_dropped_at_every_length(LedgerKind kind, int least)
    {
        using var cube = new LedgerCube(2, 1, 1);
        for (int length = 0; length < least + 3; length++)
        {
            var header = new LedgerHeader { Kind = kind, Key = cube.KeyAt(cube.Cube.Shape.At(1)) };
            byte[] body = new byte[length];
            Whole(ref header, length);
            cube[0].SendRaw(header, body, cube.Cube.Shape.At(1));
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
            Assert.Equal(Math.Min(length + 1, least), cube[1].Malformed);
        }

        cube.AssertQuiet();
    }

    private void Fuzz(int seed, int inputs)
    {
        using var cube = new LedgerCube(2, 2, 1, remembered: 256);
        var random = new Random(seed);
        var seen = new List<(LedgerHeader Header, byte[] Body)>();
        cube.Cube.Lose = (_, _, packet) =>
        {
            if (packet.Service.Value == 0x0779)
            {
                var copy = (packet.Header<LedgerHeader>(), packet.Body.ToArray());
                if (seen.Count < MostSeen)
                {
                    seen.Add(copy);
                }
                else
                {
                    seen[random.Next(MostSeen)] = copy;
                }
            }

            return false;
        };
        var running = new List<Task<LedgerReply>>();
        long ended = 0,
            done = 0;
        for (int i = 0; i < inputs; i += Batch)
        {
            for (int j = 0; j < Batch; j++)
            {
                byte[] body = new byte[random.Next(3) == 0 ? random.Next(MostBody) : random.Next(64)];
                LedgerHeader header = seen.Count > 0 && random.Next(3) > 0 ? Replay(ref body) : Make(body);
                Destination to = random.Next(2) == 0 ? header.Key : cube.Cube.Shape.At(random.Next(4));
                cube[random.Next(4)].SendRaw(header, body, to);
            }

            done += running.Count(static t => t.IsCompletedSuccessfully && t.Result.Status == LedgerStatus.Done);
            ended += running.RemoveAll(static t => t.IsCompleted);
            if (running.Count < 8)
            {
                // Not by the cube: a replayed addition is a request of its own here, for it comes from another server.
                running.Add(cube[random.Next(4)].AddAsync(AnyKey(), -i).AsTask());
            }

            cube.Cube.Advance(TimeSpan.FromMicroseconds(random.Next(64) == 0 ? 50_000 : random.Next(300)));
            Assert.True(cube.Cube.Faults.Count == 0, $"seed {seed}, input {i}: {cube.Cube.Faults.FirstOrDefault()}");
        }

        cube.Cube.Lose = null;
        cube.Cube.AwaitUntil(() => running.TrueForAll(static t => t.IsCompleted));
        output.WriteLine($"{ended} calls ended, {done} of them done");
        Assert.True(done > inputs / 1_000, $"seed {seed}: {ended} calls ended, {done} of them done");
        cube.AssertQuiet();

        LedgerHeader Replay(ref byte[] body)
        {
            (LedgerHeader header, byte[] old) = seen[random.Next(seen.Count)];
            Array.Resize(
                ref body,
                random.Next(4) switch
                {
                    0 => random.Next(old.Length + 1),
                    1 => Math.Min(MostBody, old.Length + random.Next(300)),
                    _ => old.Length,
                }
            );
            random.NextBytes(body);
            old.AsSpan(0, Math.Min(old.Length, body.Length)).CopyTo(body);
            for (int n = random.Next(4); n > 0; n--)
            {
                Span<byte> fields = MemoryMarshal.AsBytes(new Span<LedgerHeader>(ref header));
                Span<byte> target = body.Length > 0 && random.Next(2) == 0 ? body : fields;
                target[random.Next(target.Length)] = (byte)random.Next(256);
            }

            if (random.Next(4) != 0)
            {
                Whole(ref header, body.Length);
            }

            return header;
        }

        LedgerHeader Make(byte[] body)
        {
            random.NextBytes(body);
            var header = new LedgerHeader
            {
                Message = new MessageHeader
                {
                    Run = Number(),
                    Sequence = (uint)Number(),
                    Length = (uint)Number(),
                    PieceLength = (ushort)Number(),
                    Piece = (ushort)random.Next(4),
                    Kind = (MessageKind)random.Next(6),
                },
                Key = AnyKey(),
                Question = Number(),
                Kind = (LedgerKind)random.Next(8),
                Reason = (RefusalReason)random.Next(256),
                Attempt = (byte)random.Next(256),
            };
            if (random.Next(8) != 0)
            {
                Whole(ref header, body.Length);
            }

            return header;
        }

        Key AnyKey() => Key.OfName($"key-{random.Next(6)}");

        ulong Number() =>
            random.Next(6) switch
            {
                0 => (ulong)random.Next(300),
                1 => ulong.MaxValue - (ulong)random.Next(3),
                2 => long.MaxValue - (ulong)random.Next(3),
                3 => 1UL << random.Next(64),
                4 => cube[random.Next(4)].Channel.Run,
                _ => (ulong)random.NextInt64(),
            };
    }

    private static void Whole(ref LedgerHeader header, int length)
    {
        ref MessageHeader message = ref header.Message;
        (message.Length, message.PieceLength, message.Piece) = ((uint)length, (ushort)Math.Max(1, length), 0);
        message.Kind = MessageKind.Piece;
    }

    private static int? NumberOf(string variable) =>
        Environment.GetEnvironmentVariable(variable) is { } text ? int.Parse(text, CultureInfo.InvariantCulture) : null;
}
