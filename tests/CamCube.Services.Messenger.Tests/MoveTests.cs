using static CamCube.Services.Messenger.Tests.MessengerCube;

namespace CamCube.Services.Messenger.Tests;

/// <summary>Endpoints that move to another server while others send to them.</summary>
public sealed class MoveTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0),
        C = new(2, 1, 0);
    private static readonly EndpointOptions Standby = new() { IsStandby = true };

    [Fact]
    public void Under_load_no_message_is_lost_or_doubled_and_the_other_server_gets_those_that_wait()
    {
        using var cube = new MessengerCube(3, 3, 1);
        using IEndpoint from = cube.Open(A, "from");
        IEndpoint here = cube.Open(B, "roaming", new EndpointOptions { ReceiveBuffers = 500 }),
            there = cube.Begin(C, "roaming", Standby);
        Assert.Equal(EndpointState.Standby, there.State);
        List<int> received = [];
        void Take(IEndpoint endpoint)
        {
            while (endpoint.TryReceive(out Message? message))
            {
                received.Add(message.Method);
                message.Release();
            }
        }

        ValueTask<MoveStatus> move = default;
        for (ushort i = 0; i < 500; i++)
        {
            Assert.Equal(SendStatus.Sent, from.TrySend(here.Id, i, "x"u8));
            cube.Cube.Advance(TimeSpan.FromMicroseconds(20));
            if (i < 100)
            {
                Take(here);
            }
            else if (i == 150)
            {
                Assert.True(here.Waiting > 10);
                move = here.MoveToAsync(C, Second);
            }

            Take(there);
        }

        Assert.Equal(MoveStatus.Moved, cube.Cube.Await(move));
        Assert.Equal((EndpointState.Moved, EndpointState.Owned), (here.State, there.State));
        Assert.True(there.Term > here.Term);
        cube.Cube.Advance(Second / 10);
        Take(there);
        Assert.Equal(500, received.Count);
        Assert.Equal(500, received.Distinct().Count());
        Assert.True(cube[B].Counters.Forwarded.Value > 0);

        // The directory knows, too, after the time of passing on.
        cube.Cube.Advance(Second);
        using IEndpoint late = cube.Open(new Coordinate(0, 2, 0), "late");
        late.TrySend(there.Id, 1, "x"u8);
        from.TrySend(there.Id, 1, "x"u8);
        cube.Cube.AwaitUntil(() => there.Waiting == 2);
        Take(there);
        Assert.Equal(MoveStatus.NotOwned, cube.Cube.Await(here.MoveToAsync(A, Second)));
        there.Dispose();
        cube.AssertNothingLeft(2);
    }

    [Fact]
    public void It_may_go_back_and_forth_and_no_message_of_an_earlier_term_is_taken()
    {
        using var cube = new MessengerCube(2, 2, 1);
        using IEndpoint from = cube.Open(A, "from");
        Coordinate[] places = [B, new Coordinate(1, 1, 0)];
        IEndpoint now = cube.Open(places[0], "roaming");
        uint term = now.Term;
        for (int i = 1; i <= 10; i++)
        {
            IEndpoint next = cube.Begin(places[i % 2], "roaming", Standby);
            Assert.Equal(MoveStatus.Moved, cube.Cube.Await(now.MoveToAsync(places[i % 2], Second)));
            Assert.Equal(EndpointState.Owned, next.State);
            Assert.True(next.Term > term);
            (now, term) = (next, next.Term);
            from.TrySend(now.Id, 0, Bytes($"{i}"));
            Assert.Equal($"{i}", cube.Receive(now));
        }

        now.Dispose();
        cube.AssertNothingLeft(1);
    }

    [Fact]
    public void Where_nobody_waits_for_it_it_does_not_go()
    {
        using var cube = new MessengerCube(3, 1, 1);
        using IEndpoint here = cube.Open(A, "staying");
        MoveStatus Move(Coordinate to) => cube.Cube.Await(here.MoveToAsync(to, Second / 5));
        Assert.Equal(MoveStatus.NotTaken, Move(B));
        Assert.Equal(MoveStatus.Invalid, Move(A));
        Assert.Equal(MoveStatus.Invalid, Move(new Coordinate(9, 9, 9)));
        using IEndpoint other = cube.Open(B, "other");
        Assert.Equal(MoveStatus.NotTaken, Move(B));
        cube.Cube.Kill(B);
        Assert.Equal(MoveStatus.NotTaken, Move(B));
        Assert.Equal(EndpointState.Owned, here.State);
        cube.AssertNothingLeft(1);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void With_losses_there_is_one_owner_afterwards_whatever_the_mover_heard(int seed)
    {
        using var cube = new MessengerCube(3, 1, 1);
        var random = new Random(seed);
        cube.Cube.Lose = (_, _, packet) => packet.Service.Value == 0x0112 && random.NextDouble() < 0.6;
        IEndpoint here = cube.Open(A, "roaming"),
            there = cube.Begin(B, "roaming", Standby);
        MoveStatus status = cube.Cube.Await(here.MoveToAsync(B, TimeSpan.FromMilliseconds(100)));
        cube.Cube.Lose = null;
        cube.Cube.Advance(20 * Second);
        Assert.True(
            here.State == EndpointState.Owned ^ there.State == EndpointState.Owned,
            $"{status}: {here.State}, {there.State}"
        );
        Assert.True(status != MoveStatus.Moved || there.State == EndpointState.Owned);
        here.Dispose();
        there.Dispose();
        cube.AssertNothingLeft();
    }

    [Fact]
    public void Calls_that_lend_windows_are_asked_anew_where_it_has_gone()
    {
        using var cube = new MessengerCube(3, 3, 1);
        using IEndpoint from = cube.Open(A, "from");
        IEndpoint here = cube.Open(B, "roaming");
        using IEndpoint there = cube.Begin(C, "roaming", Standby);
        from.TrySend(here.Id, 0, "x"u8);
        Assert.Equal("x", cube.Receive(here));
        var window = new Window(new byte[1_000]);
        ValueTask<CallAnswer> waiting = from.CallAsync(here.Id, 1, [], [window], 10 * Second);
        cube.Cube.AwaitUntil(() => here.Waiting == 1);
        Assert.Equal(MoveStatus.Moved, cube.Cube.Await(here.MoveToAsync(C, Second)));
        cube.Cube.AwaitUntil(() => there.Waiting == 1);
        Assert.True(there.TryReceive(out Message? call));
        ValueTask<LongDelivery> delivery = there.AnswerAsync(call, 2, [new byte[1_000]], Second);
        call.Release();
        using (CallAnswer answer = cube.Cube.Await(waiting))
        {
            Assert.True(answer.IsAnswered);
        }

        Assert.Equal(LongStatus.Delivered, cube.Cube.Await(delivery).Status);
        cube.AssertNothingLeft(2);
    }

    [Fact]
    public void An_answer_for_an_endpoint_that_has_moved_is_no_answer_to_what_it_asks_there()
    {
        using var cube = new MessengerCube(3, 3, 1);
        IEndpoint here = cube.Open(A, "asker");
        using IEndpoint there = cube.Begin(C, "asker", Standby),
            to = cube.Open(B, "asked");
        var echoes = new Echoes(to) { IsSilent = true };
        ValueTask<CallAnswer> first = here.CallAsync(to.Id, 1, [Bytes("first")], 10 * Second);
        cube.Cube.AwaitUntil(() => to.Waiting == 1);
        echoes.Work();
        Assert.Equal(MoveStatus.Moved, cube.Cube.Await(here.MoveToAsync(C, Second)));
        Assert.Equal(CallStatus.NotOwned, cube.Cube.Await(first).Status);

        // The first call of each messenger: both have the same number.
        ValueTask<CallAnswer> second = there.CallAsync(to.Id, 1, [Bytes("second")], Second);
        cube.Cube.AwaitUntil(() => to.Waiting == 1);
        echoes.Work();
        Assert.Equal(SendStatus.Sent, to.TryAnswer(echoes.Kept[0], 1, "first"u8));
        cube.Cube.Advance(Second / 100);
        Assert.Equal(SendStatus.Sent, to.TryAnswer(echoes.Kept[1], 1, "second"u8));
        using (CallAnswer answer = cube.Cube.Await(second))
        {
            Assert.Equal("second", Text(answer.Message![0]));
        }

        echoes.Kept.ForEach(m => m.Release());
        cube.AssertNothingLeft(2);
    }
}
