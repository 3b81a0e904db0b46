using static CamCube.Services.Messenger.Tests.MessengerCube;

namespace CamCube.Services.Messenger.Tests;

/// <summary>Short messages: one packet, to the endpoint that is meant or nowhere.</summary>
public sealed class ShortTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0),
        C = new(2, 1, 0);

    [Fact]
    public void Items_are_gathered_and_arrive_as_they_were()
    {
        using var cube = new MessengerCube(3, 3, 1);
        using IEndpoint from = cube.Open(A, "from"),
            to = cube.Open(C, "to");
        ReadOnlyMemory<byte>[] items = [Bytes("one"), Bytes(""), Bytes("three")];
        Assert.Equal(SendStatus.Sent, from.TrySend(to.Id, 77, items));
        cube.Cube.AwaitUntil(() => to.Waiting > 0);
        Assert.True(to.TryReceive(out Message? message));
        using (message)
        {
            Assert.Equal(
                (3, (ushort)77, from.Id, A),
                (message.Count, message.Method, message.Source, message.SourceServer)
            );
            Assert.Equal((false, false, 0), (message.IsLong, message.IsCall, message.ReturnCount));
            Assert.Equal(["one", "", "three"], Enumerable.Range(0, 3).Select(i => Text(message[i])));
            Assert.Throws<ArgumentOutOfRangeException>(() => message[3].Length);
        }

        Assert.False(to.TryReceive(out _));
        cube.AssertNothingLeft(2);
    }

    [Fact]
    public void From_0_to_255_items_and_as_many_bytes_as_fit_and_no_more()
    {
        using var cube = new MessengerCube(2, 1, 1);
        using IEndpoint from = cube.Open(A, "from"),
            to = cube.Open(B, "to");
        Assert.Equal(SendStatus.Sent, from.TrySend(to.Id, 0, Array.Empty<ReadOnlyMemory<byte>>()));
        Assert.Equal("", cube.Receive(to));
        ReadOnlyMemory<byte>[] many = [.. Enumerable.Range(0, 256).Select(i => new ReadOnlyMemory<byte>([(byte)i]))];
        Assert.Equal(SendStatus.TooLarge, from.TrySend(to.Id, 0, many));
        Assert.Equal(SendStatus.Sent, from.TrySend(to.Id, 0, many.AsSpan(0, 255)));
        cube.Cube.AwaitUntil(() => to.Waiting > 0);
        Assert.True(to.TryReceive(out Message? message));
        Assert.Equal(255, message.Count);
        Assert.All(Enumerable.Range(0, 255), i => Assert.Equal((byte)i, message[i][0]));
        message.Release();

        int room = cube[A].ShortRoom(1);
        Assert.Equal(SendStatus.TooLarge, from.TrySend(to.Id, 0, new byte[room + 1]));
        Assert.Equal(SendStatus.Sent, from.TrySend(to.Id, 0, new byte[room]));
        cube.Cube.AwaitUntil(() => to.Waiting > 0);
        Assert.True(to.TryReceive(out message));
        Assert.Equal(room, message[0].Length);
        message.Release();
        cube.AssertNothingLeft(2);
    }

    [Fact]
    public void Endpoints_of_one_server_reach_each_other_and_themselves()
    {
        using var cube = new MessengerCube(2, 2, 1);
        using IEndpoint one = cube.Open(A, "one"),
            two = cube.Open(A, "two");
        Assert.Equal(SendStatus.Sent, one.TrySend(two.Id, 0, "to two"u8));
        Assert.Equal(SendStatus.Sent, one.TrySend(one.Id, 0, "to myself"u8));
        Assert.Equal("to two", cube.Receive(two));
        Assert.Equal("to myself", cube.Receive(one));
        cube.AssertNothingLeft(2);
    }

    [Fact]
    public void What_nobody_has_room_for_is_dropped_and_counted()
    {
        using var cube = new MessengerCube(2, 1, 1);
        using IEndpoint from = cube.Open(A, "from"),
            to = cube.Open(B, "to", new EndpointOptions { ReceiveBuffers = 3 });
        for (int i = 0; i < 10; i++)
        {
            Assert.Equal(SendStatus.Sent, from.TrySend(to.Id, 0, [(byte)i]));
            cube.Cube.Advance(TimeSpan.FromMilliseconds(10));
        }

        Assert.Equal(3, to.Waiting);
        EndpointNumbers numbers = Assert.Single(cube[B].List());
        Assert.Equal(("to", 3L, 7L), (numbers.Name, numbers.Received, numbers.Dropped));
        Assert.Equal(7, cube[B].Counters.Dropped.Value);
        for (byte i = 0; i < 3; i++)
        {
            Assert.True(to.TryReceive(out Message? message));
            Assert.Equal(i, message[0][0]);
            message.Release();
        }

        cube.AssertNothingLeft(2);
    }

    [Fact]
    public void Who_waits_goes_on_with_a_message_or_when_it_is_interrupted_or_closed()
    {
        using var cube = new MessengerCube(2, 1, 1);
        using IEndpoint from = cube.Open(A, "from");
        IEndpoint to = cube.Open(B, "to");
        ValueTask<bool> wait = to.WaitAsync();
        Assert.False(wait.IsCompleted);
        Assert.Throws<InvalidOperationException>(() =>
        {
            _ = to.WaitAsync();
        });
        from.TrySend(to.Id, 0, "x"u8);
        Assert.True(cube.Cube.Await(wait));
        Assert.True(cube.Cube.Await(to.WaitAsync()));
        Assert.Equal("x", cube.Receive(to));
        wait = to.WaitAsync();
        to.Interrupt();
        Assert.False(cube.Cube.Await(wait));
        to.Interrupt();
        wait = to.WaitAsync();
        to.Dispose();
        Assert.False(cube.Cube.Await(wait));
        Assert.False(cube.Cube.Await(to.WaitAsync()));
        cube.AssertNothingLeft(1);
    }

    [Fact]
    public void What_waits_at_an_endpoint_that_closes_or_was_received_and_kept_is_given_back()
    {
        using var cube = new MessengerCube(2, 1, 1);
        using IEndpoint from = cube.Open(A, "from");
        IEndpoint to = cube.Open(B, "to");
        for (int i = 0; i < 5; i++)
        {
            from.TrySend(to.Id, 0, "x"u8);
        }

        cube.Cube.AwaitUntil(() => to.Waiting == 5);
        Assert.True(to.TryReceive(out Message? kept));
        to.Dispose();
        Assert.Equal("x", Text(kept[0]));
        kept.Release();
        kept.Release();
        cube.AssertNothingLeft(1);
    }

    [Fact]
    public void Who_goes_on_after_a_wait_may_close_the_endpoint_and_open_it_again()
    {
        using var cube = new MessengerCube(2, 1, 1);
        using IEndpoint from = cube.Open(A, "from");
        IEndpoint to = cube.Open(B, "to");
        IEndpoint? again = null;
        cube.Cube[B]
            .ServerOf<MessengerService>()
            .Loop.Run(async () =>
            {
                await to.WaitAsync();
                to.Dispose();
                Assert.Equal(EndpointOpen.Ok, cube[B].TryOpen("to", null, out again));
            });
        for (int i = 0; i < 5; i++)
        {
            from.TrySend(to.Id, 0, "x"u8);
        }

        cube.Cube.AwaitUntil(() => again is { State: EndpointState.Owned });
        Assert.True(again!.Term > to.Term);
        from.TrySend(again.Id, 0, "new"u8);
        Assert.EndsWith("new", string.Join(' ', ReceiveAll(cube, again)), StringComparison.Ordinal);
        again.Dispose();
        cube.AssertNothingLeft(1);
    }

    private static List<string> ReceiveAll(MessengerCube cube, IEndpoint endpoint)
    {
        List<string> all = [];
        cube.Cube.Advance(Second / 10);
        while (endpoint.Waiting > 0)
        {
            all.Add(cube.Receive(endpoint));
        }

        return all;
    }

    [Fact]
    public void A_message_for_an_endpoint_that_is_elsewhere_now_finds_it()
    {
        using var cube = new MessengerCube(3, 3, 1);
        using IEndpoint from = cube.Open(A, "from");
        IEndpoint first = cube.Open(B, "roaming");
        from.TrySend(first.Id, 0, "one"u8);
        Assert.Equal("one", cube.Receive(first));
        first.Dispose();
        using IEndpoint second = cube.Open(C, "roaming", new EndpointOptions { Patience = Second });
        from.TrySend(second.Id, 0, "two"u8);
        Assert.Equal("two", cube.Receive(second));
        Assert.Equal(1, cube[B].Counters.Missed.Value);
        from.TrySend(second.Id, 0, "three"u8);
        Assert.Equal("three", cube.Receive(second));
        Assert.Equal(1, cube[B].Counters.Missed.Value);
        cube.AssertNothingLeft(2);
    }

    [Fact]
    public void A_message_to_a_name_that_nobody_has_is_given_up_and_counted()
    {
        using var cube = new MessengerCube(3, 3, 1, new MessengerOptions { WaitingForPlaces = 4 });
        using IEndpoint from = cube.Open(A, "from");
        EndpointId nobody = EndpointId.OfName("nobody");
        for (int i = 0; i < 4; i++)
        {
            Assert.Equal(SendStatus.Sent, from.TrySend(nobody, 0, "x"u8));
        }

        Assert.Equal(SendStatus.Busy, from.TrySend(nobody, 0, "x"u8));
        cube.Cube.AwaitUntil(() => cube[A].Counters.Unresolved.Value == 4);
        cube.AssertNothingLeft(1);
    }

    [Fact]
    public void After_the_owner_has_died_and_opened_elsewhere_messages_go_on_within_the_detection_time()
    {
        using var cube = new MessengerCube(3, 3, 3);
        using IEndpoint from = cube.Open(A, "from");
        IEndpoint first = cube.Open(B, "service");
        using IEndpoint second = cube.Begin(C, "service", new EndpointOptions { Patience = 10 * Second });
        from.TrySend(first.Id, 0, "one"u8);
        Assert.Equal("one", cube.Receive(first));
        cube.Cube.Kill(B);
        long killed = cube.Cube.NowNanos;
        while (second.Waiting == 0)
        {
            from.TrySend(second.Id, 0, "two"u8);
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
            Assert.True(cube.Cube.NowNanos - killed < 1_000_000_000, "It takes too long.");
        }

        // Detection 200 ms, and the root's wait for an owner that it does not know of.
        Assert.InRange((cube.Cube.NowNanos - killed) / 1e6, 0, 350);
        cube.Cube.Advance(Second);
        while (second.TryReceive(out Message? message))
        {
            message.Release();
        }

        cube.AssertNothingLeft(2);
    }
}
