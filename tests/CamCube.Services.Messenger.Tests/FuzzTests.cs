using System.Runtime.InteropServices;
using CamCube.Services.Messenger.Wire;
using static CamCube.Services.Messenger.Tests.MessengerCube;

namespace CamCube.Services.Messenger.Tests;

/// <summary>Packets that cannot be: a counted drop each, never a fault, a leak, or a message for somebody else.
/// </summary>
public sealed class FuzzTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0),
        C = new(2, 0, 0);

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Nothing_that_is_sent_to_a_messenger_makes_it_fault_or_keep_anything(int seed)
    {
        using var cube = new MessengerCube(3, 3, 1);
        IEndpoint good = cube.Open(A, "good"),
            to = cube.Open(B, "to"),
            bad = cube.Open(C, "bad");
        var window = new Window(new byte[100_000]);
        to.PostWindow(window);
        var random = new Random(seed);
        ulong[] ids = [good.Id.Value, to.Id.Value, bad.Id.Value, 0, 7, EndpointId.OfName("nobody").Value];
        var echoes = new Echoes(to);
        int answered = 0;
        for (int i = 0; i < 6_000; i++)
        {
            var header = default(MessengerHeader);
            Span<byte> bytes = MemoryMarshal.AsBytes(new Span<MessengerHeader>(ref header));
            if (random.Next(4) == 0)
            {
                random.NextBytes(bytes);
            }

            ref MessengerHead head = ref MessengerHead.Of(ref MessengerHeader.MessageOf(ref header));
            head.Run = random.Next(9) == 0 ? (ulong)random.NextInt64() : cube[C].Run;
            head.PeerRun = random.Next(5) == 0 ? (uint)random.Next() : (uint)cube[B].Run;
            head.Term = (uint)random.Next(3);
            head.SourceTerm = (uint)random.Next(3);
            head.Kind = (MessengerKind)random.Next(18);
            head.Flags = (ShortFlags)random.Next(random.Next(4) == 0 ? 256 : 16);
            head.Count = (byte)(random.Next(3) == 0 ? random.Next(256) : random.Next(4));
            head.Returns = (byte)(random.Next(6) == 0 ? random.Next(20) : 0);
            (header.Source, header.Destination) = (ids[random.Next(ids.Length)], ids[random.Next(ids.Length)]);
            header.Question = (ulong)random.Next(5) << 16;
            header.Status = (RegisterStatus)random.Next(8);
            byte[] body = new byte[random.Next(3) == 0 ? PlaceRecord.Size : random.Next(64)];
            random.NextBytes(body);
            if (random.Next(2) == 0)
            {
                body.AsSpan(0, Math.Min(body.Length, 12)).Clear();
            }

            Send(cube, C, B, bytes, body);
            cube.Cube.Advance(TimeSpan.FromMicroseconds(random.Next(50)));
            if (i % 500 == 0)
            {
                // A name may be given to whoever asks for it, so only what is still theirs is used.
                ValueTask<CallAnswer> call = good.CallAsync(to.Id, 1, [Bytes("hello")], Second);
                for (int turn = 0; turn < 20; turn++)
                {
                    cube.Cube.Advance(TimeSpan.FromMicroseconds(50));
                    echoes.Work();
                }

                using CallAnswer answer = cube.Cube.Await(call);
                answered += answer.IsAnswered && Text(answer.Message![0]) == "hello" ? 1 : 0;
            }

            echoes.Work();
        }

        Assert.Empty(cube.Cube.Faults);
        Assert.Equal(12, answered);
        Assert.True(cube[B].Counters.Malformed.Value > 100);
        good.Dispose();
        to.Dispose();
        bad.Dispose();
        cube.Cube.Advance(20 * Second);
        Assert.Equal(WindowState.Free, window.State);
        for (int rank = 0; rank < 9; rank++)
        {
            Assert.Equal(0, cube[rank].Left.Waiting + cube[rank].Left.Calls + cube[rank].Left.Long);
            Assert.Equal((0, 0), (cube[rank].Pool.Used, cube[rank].Directory.Count));
        }
    }

    [Fact]
    public void A_body_is_valid_if_all_its_items_lie_in_it_and_none_other_is()
    {
        byte[] body = new byte[40];
        ReadOnlyMemory<byte>[] items = [Bytes("one"), Bytes("three")];
        Window[] returns = [new(new byte[10]), new(new byte[20])];
        ShortBody.Write(body, 77, returns, items);
        int length = ShortBody.HeadBytes(2, 2) + 8;
        Assert.Equal(32, length);
        Assert.True(ShortBody.IsValid(body.AsSpan(0, length), 2, 2));
        Assert.Equal(77ul, ShortBody.Handle(body));
        Assert.Equal((10, 20), (ShortBody.ReturnLength(body, 0), ShortBody.ReturnLength(body, 1)));
        Assert.Equal("three", Text(ShortBody.Item(body, 2, 1)));
        for (int cut = 0; cut < length; cut++)
        {
            Assert.False(ShortBody.IsValid(body.AsSpan(0, cut), 2, 2));
        }

        Assert.False(ShortBody.IsValid(body, 17, 0));
        Assert.False(ShortBody.IsValid(body, 0, 255));
        Assert.True(ShortBody.IsValid(default, 0, 0));
        Assert.True(ShortBody.IsValidOffer(new byte[8], 2));
        Assert.False(ShortBody.IsValidOffer(new byte[8], 1));
        Assert.False(ShortBody.IsValidOffer(new byte[7], 2));
        Assert.False(ShortBody.IsValidOffer(default, 0));
        Assert.False(ShortBody.IsValidOffer([0, 0, 0, 0x80], 1));
    }

    [Fact]
    public void Handles_that_are_guessed_used_twice_or_of_another_peer_are_refused()
    {
        using var cube = new MessengerCube(3, 1, 1);
        using IEndpoint from = cube.Open(A, "from"),
            to = cube.Open(B, "to"),
            other = cube.Open(C, "other");
        var window = new Window(new byte[1_000]);
        ValueTask<CallAnswer> call = from.CallAsync(to.Id, 1, [], [window], Second);
        ValueTask<CallAnswer> second = from.CallAsync(other.Id, 1, [], [new Window(new byte[1_000])], Second);
        cube.Cube.AwaitUntil(() => to.Waiting == 1 && other.Waiting == 1);
        Assert.True(to.TryReceive(out Message? asked));
        Assert.True(other.TryReceive(out Message? stranger));
        ulong handle = ((Endpoints.ReceivedMessage)asked).Handle;
        bool Opens(Coordinate at, ulong label)
        {
            StreamOpenResult(cube, at, label, out CamCube.Messaging.ReliableStream stream);
            stream.Write(new byte[24]);
            cube.Cube.AwaitUntil(() => stream.End.HasEnded || window.State == WindowState.Filling);
            bool isOpen = !stream.End.HasEnded;
            stream.Dispose();
            return isOpen;
        }

        Assert.False(Opens(C, handle));
        Assert.False(Opens(C, handle + 1));
        Assert.False(Opens(B, 0));
        Assert.Equal(WindowState.Lent, window.State);
        ValueTask<LongDelivery> delivery = to.AnswerAsync(asked, 2, [new byte[1_000]], Second);
        asked.Release();
        using (CallAnswer answer = cube.Cube.Await(call))
        {
            Assert.True(answer.IsAnswered);
        }

        Assert.Equal(LongStatus.Delivered, cube.Cube.Await(delivery).Status);
        Assert.False(Opens(B, handle));
        stranger.Release();
        Assert.Equal(CallStatus.TimedOut, cube.Cube.Await(second).Status);
        cube.AssertNothingLeft(3);
    }

    private static void StreamOpenResult(
        MessengerCube cube,
        Coordinate at,
        ulong label,
        out CamCube.Messaging.ReliableStream stream
    )
    {
        var parameters = new CamCube.Messaging.StreamParameters { Label = label };
        cube[at].StreamEndpoint.TryOpen(A, parameters, out CamCube.Messaging.ReliableStream? opened);
        stream = opened!;
    }

    private static void Send(MessengerCube cube, Coordinate from, Coordinate to, ReadOnlySpan<byte> header, byte[] body)
    {
        IServer server = cube.Cube[from].ServerOf<MessengerService>();
        if (server.Packets.TryRent(body.Length, out Packet? packet))
        {
            header.CopyTo(packet.HeaderSpan);
            body.CopyTo(packet.WritableBody());
            server.Send(packet, to);
        }
    }
}
