using System.Runtime.CompilerServices;
using System.Text;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;
using CamCube.Tests;
using static CamCube.Services.KeyValue.KeyValueStatus;
using GroupMessageKind = CamCube.Services.KeyValue.Groups.MessageKind;
using MessageKind = CamCube.Messaging.MessageKind;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>
/// Packets that cannot be, or that nobody should send, from a server among the others: cut at each byte, bent, played
/// again, to groups that are not there, of old epochs and future terms. No fault, no leak, no growth; and what it is no
/// member of stays as it was.
/// </summary>
public sealed class PacketFuzzTests
{
    private const int Hostile = 4;
    private const int SamplesOfType = 48;
    private const int Keys = 24;

    private static readonly KeyValueOptions Small = new()
    {
        TailBytes = 4 << 10,
        MaxValueLength = 512 << 10,
        Requests = 64,
        Answers = 4_096,
    };

    private readonly Dictionary<MessageType, List<(KeyValueHeader Header, byte[] Content)>> _seen = [];
    private uint _sequence = 1 << 20;

    [Fact]
    public void Each_message_cut_at_each_byte_is_dropped_or_says_nothing_new()
    {
        using StoreCube cube = Make();
        string[] keys = Prepare(cube);
        foreach ((MessageType type, List<(KeyValueHeader Header, byte[] Content)> samples) in _seen)
        {
            (KeyValueHeader header, byte[] content) = samples.MaxBy(static s => Math.Min(s.Content.Length, 400));
            for (int cut = 0; cut < Math.Min(content.Length, 400); cut++)
            {
                Inject(cube, header, content.AsSpan(0, cut), cut % Hostile);
                cube.Cube.Advance(TimeSpan.FromMicroseconds(100));
                Assert.True(cube.Cube.Faults.Count == 0, $"{type} cut at {cut}: {cube.Cube.Faults.FirstOrDefault()}");
            }
        }

        Check(cube, keys);
    }

    // A fiftieth of what other fuzzers take: behind each input there is a cube whose servers work.
    [Fact]
    public void No_message_makes_a_store_fault_or_grow_or_harms_what_its_sender_has_no_part_in() =>
        FuzzInputs.Run(static (random, inputs) => new PacketFuzzTests().Fuzz(random, inputs / 50));

    [Theory]
    [InlineData(1)]
    public void Nor_one_of_this_seed(int seed) => Fuzz(new Random(seed), 3_000);

    private void Fuzz(Random random, int inputs)
    {
        using StoreCube cube = Make();
        string[] keys = Prepare(cube);
        MessageType[] types = [.. _seen.Keys.Order()];
        for (int i = 0; i < inputs; i++)
        {
            List<(KeyValueHeader Header, byte[] Content)> samples = _seen[types[random.Next(types.Length)]];
            (KeyValueHeader header, byte[] content) = samples[random.Next(samples.Count)];
            if (random.Next(8) == 0)
            {
                header.Type = (MessageType)random.Next(20);
            }

            if (random.Next(4) == 0)
            {
                (header.Attempt, header.Passed) = ((byte)random.Next(256), (byte)random.Next(256));
                header.Question += (ulong)random.Next(-2, 3);
            }

            byte[] bent = random.Bend(content, samples[random.Next(samples.Count)].Content, 6_000);
            if (!Appoints(header.Type, bent))
            {
                Inject(cube, header, bent, random.Next(Hostile));
            }

            if (i % 16 == 0)
            {
                cube.Cube.Advance(TimeSpan.FromMicroseconds(random.Next(64) == 0 ? 50_000 : random.Next(400)));
                Assert.True(
                    cube.Cube.Faults.Count == 0,
                    $"input {i}, {header.Type}, {Convert.ToHexString(bent)}: {cube.Cube.Faults.FirstOrDefault()}"
                );
            }
        }

        Check(cube, keys);
    }

    // Servers of a cube trust each other in this: who says that a group has other members, or that a store was given
    // up, is believed.
    private static bool Appoints(MessageType type, byte[] content)
    {
        if (type is MessageType.AskStore or MessageType.Store or MessageType.Ban)
        {
            return true;
        }

        var reader = new WireReader(type == MessageType.Groups ? content : []);
        bool appoints = false;
        while (
            reader.Left > 0
            && GroupMessageFormat.TryRead(ref reader, default, default, out _, out GroupMessage message, [])
        )
        {
            appoints |=
                message.Kind is GroupMessageKind.StartEpoch or GroupMessageKind.Birth or GroupMessageKind.Recover;
        }

        return appoints;
    }

    private static StoreCube Make() => new(5, 1, 1, Small);

    // Has every kind of message sent once, and kept. Answers keys that the hostile server has no part in.
    private string[] Prepare(StoreCube cube)
    {
        bool isSeen = true;
        cube.Cube.Lose = (_, _, packet) =>
        {
            if (isSeen)
            {
                See(packet);
            }

            return false;
        };
        cube.AwaitLed();
        Coordinate hostile = cube.Cube.Shape.At(Hostile);
        string[] keys =
        [
            .. Enumerable
                .Range(0, 10_000)
                .Select(static i => $"what nobody else knows of {i}")
                .Where(key =>
                    !GroupId
                        .Of(0, Encoding.UTF8.GetBytes(key), cube.Cube.Shape)
                        .Planned(cube.Cube.Shape, 3)
                        .Contains(hostile)
                )
                .Take(Keys),
        ];

        // Whoever knows a key may change it.
        isSeen = false;
        for (int i = 0; i < Keys; i++)
        {
            Assert.Equal(Done, cube.Put(i % 4, keys[i], $"value {i}").Status);
        }

        isSeen = true;
        for (int i = 0; i < Keys; i++)
        {
            Assert.Equal(Done, cube.Put(i % 5, $"h{i}", new string('h', i * 20)).Status);
            Assert.Equal(Done, cube.Get(Hostile, $"h{i}").Answer.Status);
        }

        Assert.Equal(Done, cube.Change(Hostile, "number", KeyValueChange.Add(3)).Answer.Status);
        Assert.Equal(Done, cube.Delete(Hostile, "h1").Status);
        cube.Cube.Await(cube[Hostile].ListAsync(KeyValueKey.Of("h"), null, 10));
        cube.Cube.Await(cube[Hostile].WaitAsync(KeyValueKey.Of("h2"), 1, TimeSpan.FromMilliseconds(5)));
        cube.Cube.Await(cube[0].PutAsync(KeyValueKey.Of("long"), new byte[300_000], default));

        // Copies are compared, a server gets an empty disk, and one is away for longer than the others keep.
        cube.Cube.Await(cube.Cube[0].Gate.RunCommandAsync(CommandCall.Of("kv", "verify")));
        cube.Cube.Kill(cube.Cube.Shape.At(1));
        cube.Cube.AwaitConverged();
        for (int i = 0; i < 40; i++)
        {
            Assert.Equal(Done, cube.Put(0, $"h{i % 4}", new string('x', 500)).Status);
        }

        cube.Cube.Revive(cube.Cube.Shape.At(1), emptyDisk: true);
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        MessageType[] common =
        [
            MessageType.Groups,
            MessageType.Beat,
            MessageType.Request,
            MessageType.Answer,
            MessageType.Founding,
            MessageType.StateAsk,
            MessageType.StateChunk,
            MessageType.CopyAsk,
            MessageType.CopyPage,
        ];
        Assert.Empty(common.Except(_seen.Keys));
        cube.Cube.Lose = null;
        return keys;
    }

    private void See(Packet packet)
    {
        if (packet.Service.Value != 0x0170 || packet.HeaderLength < Unsafe.SizeOf<KeyValueHeader>())
        {
            return;
        }

        KeyValueHeader header = packet.Header<KeyValueHeader>();
        if (header.Message.Kind != MessageKind.Piece || header.Message.Length != packet.Body.Length)
        {
            return;
        }

        if (!_seen.TryGetValue(header.Type, out List<(KeyValueHeader, byte[])>? samples))
        {
            _seen[header.Type] = samples = [];
        }

        if (samples.Count < SamplesOfType)
        {
            samples.Add((header, packet.Body.ToArray()));
        }
        else if (_seen.Values.Sum(static s => s.Count) % 7 == 0)
        {
            samples[(int)(header.Message.Sequence % SamplesOfType)] = (header, packet.Body.ToArray());
        }
    }

    // As a message of the hostile server that nobody has had yet.
    private void Inject(StoreCube cube, KeyValueHeader header, ReadOnlySpan<byte> content, int to)
    {
        IServer server = cube.Cube[Hostile].ServerOf<KeyValueService>();
        if (!server.Packets.TryRent(content.Length, out Packet? packet))
        {
            return;
        }

        header.Message = new MessageHeader
        {
            Run = ulong.MaxValue / 4,
            Sequence = _sequence++,
            Length = (uint)content.Length,
            PieceLength = (ushort)Math.Max(1, content.Length),
            Kind = MessageKind.Piece,
        };
        packet.Header<KeyValueHeader>() = header;
        content.CopyTo(packet.WritableBody());
        server.Send(packet, cube.Cube.Shape.At(to));
    }

    private static void Check(StoreCube cube, string[] keys)
    {
        // The hostile one goes; what it has begun ends.
        cube.Cube.Kill(cube.Cube.Shape.At(Hostile));
        cube.Cube.AwaitConverged();
        cube.Cube.Advance(TimeSpan.FromSeconds(20));
        for (int i = 0; i < keys.Length; i++)
        {
            Assert.Equal(
                (Done, $"value {i}"),
                (cube.Get(i % 4, keys[i]).Answer.Status, cube.Get(i % 4, keys[i]).Value)
            );
            Assert.Equal(Done, cube.Put((i + 1) % 4, keys[i], $"more {i}").Status);
            Assert.Equal($"more {i}", cube.Get((i + 2) % 4, keys[i]).Value);
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        Assert.Empty(cube.Cube.Faults);
        for (int rank = 0; rank < Hostile; rank++)
        {
            KeyValueService store = cube.Store(rank);
            Assert.Equal((0, 0), store.Open);
            Assert.InRange(store.Remembered, 0, Small.Answers);
            Assert.InRange(store.Host.Members.Count, 1, 16 * 5 * 48);
            Assert.InRange(store.Host.Index.Count, 1, 10_000);
            Assert.Equal("", store.Host.Failure);
        }

        cube.Cube.AssertQuiet();
    }
}
