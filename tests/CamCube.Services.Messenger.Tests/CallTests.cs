using static CamCube.Services.Messenger.Tests.MessengerCube;

namespace CamCube.Services.Messenger.Tests;

/// <summary>Calls: a question, an answer, or a reason why there is none; and answers in windows that were lent.
/// </summary>
public sealed class CallTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0),
        C = new(2, 1, 0);
    private static readonly TimeSpan Soon = TimeSpan.FromMilliseconds(100);

    [Fact]
    public void A_call_is_answered()
    {
        using var cube = new MessengerCube(3, 3, 1);
        using IEndpoint from = cube.Open(A, "from"),
            to = cube.Open(C, "to"),
            near = cube.Open(A, "near");
        foreach (IEndpoint asked in (IEndpoint[])[to, near])
        {
            using CallAnswer answer = Call(cube, from, asked, "question");
            Assert.Equal(CallStatus.Answered, answer.Status);
            Assert.Equal(
                ("question", (ushort)6, asked.Id),
                (Text(answer.Message![0]), answer.Message.Method, answer.Message.Source)
            );
        }

        cube.AssertNothingLeft(3);
    }

    [Fact]
    public void A_call_that_nobody_answers_ends_with_its_time_and_the_late_answer_is_nobodys()
    {
        using var cube = new MessengerCube(3, 1, 1);
        using IEndpoint from = cube.Open(A, "from"),
            to = cube.Open(B, "to");
        var echoes = new Echoes(to) { IsSilent = true };
        ValueTask<CallAnswer> call = from.CallAsync(to.Id, 5, [Bytes("x")], Soon);
        cube.Cube.AwaitUntil(() => to.Waiting > 0);
        echoes.Work();
        Assert.Equal(CallStatus.TimedOut, cube.Cube.Await(call).Status);
        Assert.Equal(SendStatus.Sent, to.TryAnswer(echoes.Kept[0], 6, "late"u8));
        Assert.Equal(SendStatus.NoQuestion, to.TryAnswer(echoes.Kept[0], 6, "again"u8));
        echoes.Kept[0].Release();
        cube.Cube.Advance(Soon);
        Assert.False(from.TryReceive(out _));
        cube.AssertNothingLeft(2);
    }

    [Fact]
    public void A_call_ends_when_it_is_cancelled_or_its_endpoint_closes()
    {
        using var cube = new MessengerCube(2, 1, 1);
        IEndpoint from = cube.Open(A, "from");
        using IEndpoint to = cube.Open(B, "to");
        using var cancel = new CancellationTokenSource();
        ValueTask<CallAnswer> first = from.CallAsync(to.Id, 5, [], 10 * Second, cancel.Token),
            second = from.CallAsync(to.Id, 5, [], 10 * Second);
        cancel.Cancel();
        Assert.Equal(CallStatus.Cancelled, cube.Cube.Await(first).Status);
        Assert.Equal(CallStatus.Cancelled, cube.Cube.Await(from.CallAsync(to.Id, 5, [], Second, cancel.Token)).Status);
        from.Dispose();
        Assert.Equal(CallStatus.NotOwned, cube.Cube.Await(second).Status);
        Assert.Equal(CallStatus.NotOwned, cube.Cube.Await(from.CallAsync(to.Id, 5, [], Second)).Status);
        cube.Cube.AwaitUntil(() => to.Waiting == 2);
        new Echoes(to).Work();
        cube.AssertNothingLeft(1);
    }

    [Fact]
    public void Calls_that_nobody_awaits_use_nothing_up_and_one_may_wait_for_ever()
    {
        using var cube = new MessengerCube(2, 1, 1);
        using IEndpoint from = cube.Open(A, "from"),
            to = cube.Open(B, "to");
        var echoes = new Echoes(to);
        ValueTask<CallAnswer> patient = from.CallAsync(EndpointId.OfName("to"), 5, [Bytes("x")], TimeSpan.MaxValue);
        for (int i = 0; i < 700; i++)
        {
            for (int k = 0; k < 100; k++)
            {
                _ = from.CallAsync(to.Id, 5, [], TimeSpan.FromTicks(1));
            }

            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
            while (to.TryReceive(out Message? message))
            {
                message.Release();
            }
        }

        Assert.Equal(1, cube[A].Calls.Open);
        Assert.False(patient.IsCompleted);
        ValueTask<CallAnswer> call = from.CallAsync(to.Id, 5, [Bytes("last")], Second);
        cube.Cube.AwaitUntil(() => to.Waiting > 0);
        echoes.Work();
        using (CallAnswer answer = cube.Cube.Await(call))
        {
            Assert.Equal("last", Text(answer.Message![0]));
        }

        to.Dispose();
        cube.Cube.Kill(B);
        Assert.Equal(CallStatus.PeerLost, cube.Cube.Await(patient).Status);
        cube.AssertNothingLeft(1);
    }

    [Fact]
    public void A_call_to_nobody_or_with_too_much_ends_in_words()
    {
        using var cube = new MessengerCube(3, 1, 1);
        using IEndpoint from = cube.Open(A, "from");
        EndpointId nobody = EndpointId.OfName("nobody");
        Assert.Equal(CallStatus.Unresolved, cube.Cube.Await(from.CallAsync(nobody, 5, [], 10 * Second)).Status);
        byte[] much = new byte[cube[A].ShortRoom(1) + 1];
        Assert.Equal(CallStatus.TooLarge, cube.Cube.Await(from.CallAsync(nobody, 5, [much], Second)).Status);
        cube.AssertNothingLeft(1);
    }

    [Fact]
    public void A_call_ends_at_once_when_the_server_that_was_asked_is_lost()
    {
        using var cube = new MessengerCube(3, 3, 1);
        using IEndpoint from = cube.Open(A, "from");
        IEndpoint to = cube.Open(C, "to");
        ValueTask<CallAnswer> call = from.CallAsync(to.Id, 5, [], 60 * Second);
        cube.Cube.AwaitUntil(() => to.Waiting > 0);
        cube.Cube.Kill(C);
        long killed = cube.Cube.NowNanos;
        Assert.Equal(CallStatus.PeerLost, cube.Cube.Await(call).Status);
        Assert.InRange((cube.Cube.NowNanos - killed) / 1e6, 0, 300);
        cube.AssertNothingLeft(1);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Of_a_crowd_of_calls_with_losses_each_is_answered_rightly_or_ends_with_its_time(int seed)
    {
        using var cube = new MessengerCube(3, 3, 1);
        IEndpoint[] all = [.. Enumerable.Range(0, 9).Select(r => cube.Open(cube.Cube.Shape.At(r), $"e{r}"))];
        Echoes[] echoes = [.. all.Select(e => new Echoes(e))];
        var random = new Random(seed);
        cube.Cube.Lose = (_, _, packet) => packet.Service.Value == 0x0112 && random.NextDouble() < 0.05;
        List<(string Text, Task<CallAnswer> Call)> calls = [];
        for (int i = 0; i < 1_000; i++)
        {
            string text = $"call {i}";
            IEndpoint from = all[random.Next(9)],
                to = all[random.Next(9)];
            calls.Add((text, from.CallAsync(to.Id, 1, [Bytes(text)], Soon).AsTask()));
            cube.Cube.Advance(TimeSpan.FromMicroseconds(50));
            Array.ForEach(echoes, e => e.Work());
        }

        cube.Cube.Advance(2 * Soon);
        Array.ForEach(echoes, e => e.Work());
        int answered = 0;
        foreach ((string text, Task<CallAnswer> call) in calls)
        {
            Assert.True(call.IsCompletedSuccessfully);
            using CallAnswer answer = ResultOf(call);
            answered += answer.IsAnswered ? 1 : 0;
            Assert.True(answer.IsAnswered ? Text(answer.Message![0]) == text : answer.Status == CallStatus.TimedOut);
        }

        Assert.InRange(answered, 650, 1_000);
        Array.ForEach(all, e => e.Dispose());
        cube.AssertNothingLeft();
    }

    [Fact]
    public void An_answer_is_written_into_the_windows_that_were_lent()
    {
        using var cube = new MessengerCube(3, 3, 1);
        using IEndpoint from = cube.Open(A, "from"),
            far = cube.Open(C, "far"),
            near = cube.Open(A, "near");
        foreach (IEndpoint to in (IEndpoint[])[far, near])
        {
            Assert.True(cube[A].TryRentWindow(3_000_000, out Window? large));
            Window small = new(new byte[100]),
                unused = new(new byte[10]);
            ValueTask<CallAnswer> call = from.CallAsync(to.Id, 5, [], [large, small, unused], 10 * Second);
            Assert.Equal(WindowState.Lent, large.State);
            cube.Cube.AwaitUntil(() => to.Waiting > 0);
            Assert.True(to.TryReceive(out Message? question));
            Assert.Equal(
                (3, large.Length, 100),
                (question.ReturnCount, question.ReturnLength(0), question.ReturnLength(1))
            );
            byte[] bytes = LongTests.Drawn(3_000_000, 1);
            ValueTask<LongDelivery> delivery = to.AnswerAsync(question, 8, [bytes, Bytes("and this")], 10 * Second);
            Assert.Equal(SendStatus.NoQuestion, to.TryAnswer(question, 8, "twice"u8));
            question.Release();
            using (CallAnswer answer = cube.Cube.Await(call))
            {
                Assert.Equal(CallStatus.Answered, answer.Status);
                Message message = answer.Message!;
                Assert.Equal(
                    (true, 2, (ushort)8, to.Id),
                    (message.IsLong, message.Count, message.Method, message.Source)
                );
                Assert.True(message[0].SequenceEqual(bytes));
                Assert.Equal("and this", Text(message[1]));
                Assert.Equal((large, small), (message.WindowOf(0), message.WindowOf(1)));
                Assert.Equal((WindowState.Filled, WindowState.Free), (large.State, unused.State));
            }

            Assert.Equal(LongStatus.Delivered, cube.Cube.Await(delivery).Status);
            Assert.Equal((WindowState.Free, WindowState.Free), (large.State, small.State));
            cube[A].ReturnWindow(large);
            Assert.Throws<ArgumentException>(() => cube[A].ReturnWindow(large));
        }

        cube.AssertNothingLeft(3);
    }

    [Fact]
    public void Windows_that_are_empty_posted_lent_twice_or_too_many_are_not_lent()
    {
        using var cube = new MessengerCube(2, 1, 1);
        using IEndpoint from = cube.Open(A, "from"),
            to = cube.Open(B, "to");
        var window = new Window(new byte[10]);
        CallStatus Try(params Window[] windows) => cube.Cube.Await(from.CallAsync(to.Id, 5, [], windows, Soon)).Status;
        Assert.Equal(CallStatus.BadWindow, Try(new Window(default)));
        Assert.Equal(CallStatus.BadWindow, Try(window, window));
        Assert.Equal(CallStatus.BadWindow, Try([.. Enumerable.Range(0, 17).Select(_ => new Window(new byte[1]))]));
        Assert.Equal(WindowPost.Ok, from.PostWindow(window));
        Assert.Equal(CallStatus.BadWindow, Try(window));
        Assert.True(from.Withdraw(window));
        Assert.Equal(CallStatus.TimedOut, Try(window));
        Assert.Equal(WindowState.Free, window.State);
        new Echoes(to).Work();
        cube.AssertNothingLeft(2);
    }

    [Fact]
    public void An_answer_that_does_not_fit_or_has_no_windows_is_refused()
    {
        using var cube = new MessengerCube(2, 1, 1);
        using IEndpoint from = cube.Open(A, "from"),
            to = cube.Open(B, "to");
        var window = new Window(new byte[10]);
        ValueTask<CallAnswer> with = from.CallAsync(to.Id, 5, [], [window], Second),
            without;
        cube.Cube.AwaitUntil(() => to.Waiting == 1);
        without = from.CallAsync(to.Id, 5, [], Second);
        from.TrySend(to.Id, 5, "no call"u8);
        cube.Cube.AwaitUntil(() => to.Waiting == 3);
        LongStatus Try(Message call, params ReadOnlyMemory<byte>[] items) =>
            cube.Cube.Await(to.AnswerAsync(call, 1, items, Second)).Status;
        Assert.True(to.TryReceive(out Message? message));
        Assert.Equal(LongStatus.TooLarge, Try(message, new byte[11]));
        Assert.Equal(LongStatus.TooLarge, Try(message, new byte[1], new byte[1]));
        Assert.Equal(LongStatus.TooLarge, Try(message));
        Assert.Equal(LongStatus.Delivered, Try(message, new byte[10]));
        Assert.Equal(LongStatus.NoQuestion, Try(message, new byte[10]));
        message.Release();
        cube.Cube.Await(with).Dispose();
        for (int i = 0; i < 2; i++)
        {
            Assert.True(to.TryReceive(out message));
            Assert.Equal(LongStatus.NoQuestion, Try(message, new byte[1]));
            message.Release();
        }

        Assert.Equal(CallStatus.TimedOut, cube.Cube.Await(without).Status);
        cube.AssertNothingLeft(2);
    }

    [Fact]
    public void Windows_are_free_again_when_the_answer_breaks_off_or_the_caller_goes()
    {
        using var cube = new MessengerCube(3, 3, 1);
        using IEndpoint from = cube.Open(A, "from");
        IEndpoint to = cube.Open(C, "to");
        var window = new Window(new byte[50_000_000]);
        using var cancel = new CancellationTokenSource();
        ValueTask<CallAnswer> call = from.CallAsync(to.Id, 5, [], [window], 60 * Second, cancel.Token);
        cube.Cube.AwaitUntil(() => to.Waiting > 0);
        Assert.True(to.TryReceive(out Message? question));
        ValueTask<LongDelivery> delivery = to.AnswerAsync(question, 1, [new byte[50_000_000]], 60 * Second);
        question.Release();
        cube.Cube.AwaitUntil(() => window.State == WindowState.Filling);
        cancel.Cancel();
        Assert.Equal(CallStatus.Cancelled, cube.Cube.Await(call).Status);
        Assert.Equal(WindowState.Free, window.State);
        Assert.Equal(LongStatus.BrokenOff, cube.Cube.Await(delivery).Status);

        call = from.CallAsync(to.Id, 5, [], [window], 60 * Second);
        cube.Cube.AwaitUntil(() => to.Waiting > 0);
        Assert.True(to.TryReceive(out question));
        _ = to.AnswerAsync(question, 1, [new byte[50_000_000]], 60 * Second);
        cube.Cube.AwaitUntil(() => window.State == WindowState.Filling);
        cube.Cube.Kill(C);
        Assert.Equal(CallStatus.PeerLost, cube.Cube.Await(call).Status);
        Assert.Equal(WindowState.Free, window.State);
        cube.AssertNothingLeft(1);
    }

    private static CallAnswer Call(MessengerCube cube, IEndpoint from, IEndpoint to, string text)
    {
        ValueTask<CallAnswer> call = from.CallAsync(to.Id, 5, [Bytes(text)], Second);
        cube.Cube.AwaitUntil(() => to.Waiting > 0);
        new Echoes(to).Work();
        return cube.Cube.Await(call);
    }
}
