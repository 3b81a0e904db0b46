using static CamCube.Services.Messenger.Tests.MessengerCube;

namespace CamCube.Services.Messenger.Tests;

/// <summary>Long messages: pulled into posted windows, whole or not at all.</summary>
public sealed class LongTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0),
        C = new(2, 1, 0);

    public static byte[] Drawn(int length, int seed)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    [Fact]
    public void Each_item_is_in_the_first_window_that_is_large_enough_or_is_left_out_which_is_said()
    {
        using var cube = new MessengerCube(3, 3, 1);
        using IEndpoint from = cube.Open(A, "from"),
            far = cube.Open(C, "far"),
            near = cube.Open(A, "near");
        foreach (IEndpoint to in (IEndpoint[])[far, near])
        {
            Window[] windows = [.. new[] { 10, 5_000_000, 2_000_000 }.Select(n => new Window(new byte[n]))];
            Assert.All(windows, w => Assert.Equal(WindowPost.Ok, to.PostWindow(w)));
            byte[][] items = [Drawn(2_000_000, 1), Drawn(8_000_000, 2), Drawn(10, 3), Drawn(0, 4)];
            ValueTask<LongDelivery> sent = from.SendAsync(
                to.Id,
                9,
                items.Select(i => new ReadOnlyMemory<byte>(i)).ToArray(),
                10 * Second
            );
            Assert.Equal(new LongDelivery(LongStatus.Delivered, 1), cube.Cube.Await(sent));
            cube.Cube.AwaitUntil(() => to.Waiting > 0);
            Assert.True(to.TryReceive(out Message? message));
            Assert.Equal(
                (true, 4, (ushort)9, from.Id, false),
                (message.IsLong, message.Count, message.Method, message.Source, message.IsCall)
            );
            Assert.Equal([windows[1], null, windows[0], windows[2]], Enumerable.Range(0, 4).Select(message.WindowOf));
            Assert.Equal([false, true, false, false], Enumerable.Range(0, 4).Select(message.IsDiscarded));
            Assert.True(message[0].SequenceEqual(items[0]));
            Assert.True(message[1].IsEmpty);
            Assert.True(message[2].SequenceEqual(items[2]));
            Assert.True(message[3].IsEmpty);
            Assert.All(windows, w => Assert.Equal(WindowState.Filled, w.State));
            Assert.Equal(WindowPost.NotFree, to.PostWindow(windows[1]));
            message.Release();
            Assert.All(windows, w => Assert.Equal(WindowState.Free, w.State));
        }

        cube.AssertNothingLeft(3);
    }

    [Fact]
    public void Without_a_window_it_is_discarded_and_said_so()
    {
        using var cube = new MessengerCube(3, 1, 1);
        using IEndpoint from = cube.Open(A, "from"),
            to = cube.Open(B, "to");
        var small = new Window(new byte[99]);
        to.PostWindow(small);
        Assert.Equal(
            new LongDelivery(LongStatus.Discarded, 2),
            cube.Cube.Await(from.SendAsync(to.Id, 0, [new byte[100], new byte[200]], Second))
        );
        Assert.Equal((WindowState.Posted, 0), (small.State, to.Waiting));
        Assert.Equal(2, cube[B].Counters.Discarded.Value);
        cube.AssertNothingLeft(2);
    }

    [Fact]
    public void Windows_of_no_bytes_posted_twice_or_too_many_are_refused_and_posted_ones_may_be_taken_back()
    {
        using var cube = new MessengerCube(2, 1, 1, new MessengerOptions { Windows = 2 });
        IEndpoint to = cube.Open(B, "to");
        Window one = new(new byte[10]),
            two = new(new byte[10]);
        Assert.Equal(WindowPost.Empty, to.PostWindow(new Window(default)));
        Assert.Equal(WindowPost.Ok, to.PostWindow(one));
        Assert.Equal(WindowPost.NotFree, to.PostWindow(one));
        Assert.Equal(WindowPost.Ok, to.PostWindow(two));
        Assert.Equal(WindowPost.Full, to.PostWindow(new Window(new byte[1])));
        Assert.Equal(2, cube[B].List()[0].Windows);
        Assert.True(to.Withdraw(one));
        Assert.False(to.Withdraw(one));
        Assert.Equal(WindowState.Free, one.State);
        to.Dispose();
        Assert.Equal((WindowState.Free, WindowPost.Closed), (two.State, to.PostWindow(two)));
        cube.AssertNothingLeft();
    }

    [Fact]
    public void A_window_that_is_taken_back_during_a_pull_breaks_it_off_and_the_others_are_posted_again()
    {
        using var cube = new MessengerCube(2, 2, 1);
        using IEndpoint from = cube.Open(A, "from"),
            to = cube.Open(B, "to");
        Window one = new(new byte[30_000_000]),
            two = new(new byte[30_000_000]);
        to.PostWindow(one);
        to.PostWindow(two);
        ValueTask<LongDelivery> sent = from.SendAsync(
            to.Id,
            0,
            [new byte[30_000_000], new byte[30_000_000]],
            10 * Second
        );
        cube.Cube.AwaitUntil(() => two.State == WindowState.Filling);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(20));
        Assert.True(to.Withdraw(one));
        Assert.Equal((WindowState.Free, WindowState.Posted), (one.State, two.State));
        Assert.Equal(LongStatus.BrokenOff, cube.Cube.Await(sent).Status);
        Assert.Equal(0, to.Waiting);
        cube.AssertNothingLeft(2);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(30)]
    [InlineData(100)]
    public void Of_a_sender_that_dies_nothing_is_delivered_and_its_windows_are_posted_again(int millis)
    {
        using var cube = new MessengerCube(3, 3, 1);
        IEndpoint from = cube.Open(A, "from");
        using IEndpoint to = cube.Open(C, "to");
        var window = new Window(new byte[50_000_000]);
        to.PostWindow(window);
        _ = from.SendAsync(to.Id, 0, [new byte[50_000_000]], 60 * Second);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(millis));
        cube.Cube.Kill(A);
        cube.Cube.AwaitConverged();
        cube.Cube.AwaitUntil(() => window.State == WindowState.Posted);
        Assert.Equal(0, to.Waiting);
        cube.AssertNothingLeft(1);
    }

    [Fact]
    public void Whenever_its_sender_dies_a_message_is_whole_or_not_there()
    {
        // The offer, the greeting, the credit, the bytes and their end take 5 ms in all.
        int whole = 0;
        for (int i = 0; i < 60; i++)
        {
            using var cube = new MessengerCube(3, 3, 1);
            IEndpoint from = cube.Open(A, "from");
            using IEndpoint to = cube.Open(C, "to");
            var window = new Window(new byte[1_000_000]);
            to.PostWindow(window);
            byte[] bytes = new byte[1_000_000];
            Array.Fill(bytes, (byte)1);
            _ = from.SendAsync(to.Id, 0, [bytes], 60 * Second);
            cube.Cube.Advance(TimeSpan.FromMicroseconds(i < 20 ? i * 10 : (i - 18) * 110));
            cube.Cube.Kill(A);
            cube.Cube.AwaitConverged();
            cube.Cube.AwaitUntil(() => window.State is WindowState.Posted or WindowState.Filled);
            bool isWhole = window.State == WindowState.Filled;
            Assert.Equal(isWhole ? 1 : 0, to.Waiting);
            whole += isWhole ? 1 : 0;
            if (isWhole)
            {
                Assert.True(to.TryReceive(out Message? message));
                Assert.DoesNotContain((byte)0, window.Memory.ToArray());
                message.Release();
            }

            cube.AssertNothingLeft(1);
        }

        Assert.InRange(whole, 1, 55);
    }

    [Fact]
    public void What_is_sent_ends_when_it_is_cancelled_or_too_late_or_the_receiver_goes()
    {
        using var cube = new MessengerCube(3, 3, 1);
        using IEndpoint from = cube.Open(A, "from");
        IEndpoint to = cube.Open(B, "to");
        var window = new Window(new byte[50_000_000]);
        to.PostWindow(window);
        using var cancel = new CancellationTokenSource();
        byte[] bytes = new byte[50_000_000];
        ValueTask<LongDelivery> sent = from.SendAsync(to.Id, 0, [bytes], 60 * Second, cancel.Token);
        cube.Cube.AwaitUntil(() => window.State == WindowState.Filling);
        cancel.Cancel();
        Assert.Equal(LongStatus.Cancelled, cube.Cube.Await(sent).Status);
        cube.Cube.AwaitUntil(() => window.State == WindowState.Posted);
        TimeSpan soon = TimeSpan.FromMilliseconds(50);
        Assert.Equal(LongStatus.TimedOut, cube.Cube.Await(from.SendAsync(to.Id, 0, [bytes], soon)).Status);
        cube.Cube.AwaitUntil(() => window.State == WindowState.Posted);
        sent = from.SendAsync(to.Id, 0, [bytes], 60 * Second);
        cube.Cube.AwaitUntil(() => window.State == WindowState.Filling);
        to.Dispose();
        Assert.Equal(WindowState.Free, window.State);
        Assert.Equal(LongStatus.BrokenOff, cube.Cube.Await(sent).Status);
        Assert.Equal(LongStatus.Unresolved, cube.Cube.Await(from.SendAsync(to.Id, 0, [bytes], 60 * Second)).Status);
        ReadOnlyMemory<byte>[] none = [],
            many = [.. Enumerable.Repeat(ReadOnlyMemory<byte>.Empty, 256)];
        Assert.Equal(LongStatus.TooLarge, cube.Cube.Await(from.SendAsync(to.Id, 0, none, Second)).Status);
        Assert.Equal(LongStatus.TooLarge, cube.Cube.Await(from.SendAsync(to.Id, 0, many, Second)).Status);
        cube.AssertNothingLeft(1);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Of_a_crowd_with_losses_and_one_that_dies_each_message_is_whole_or_not_there(int seed)
    {
        using var cube = new MessengerCube(3, 3, 1);
        var random = new Random(seed);
        IEndpoint[] all = [.. Enumerable.Range(0, 9).Select(r => cube.Open(cube.Cube.Shape.At(r), $"e{r}"))];
        foreach (IEndpoint endpoint in all)
        {
            for (int i = 0; i < 6; i++)
            {
                endpoint.PostWindow(new Window(new byte[random.Next(1, 400_000)]));
            }
        }

        cube.Cube.Lose = (_, _, packet) => packet.Service.Value == 0x0112 && random.NextDouble() < 0.03;
        List<(int From, int To, int Seed, int Length, Task<LongDelivery> End)> sent = [];
        List<(int To, int Seed)> received = [];
        void Take(int rank)
        {
            while (all[rank].TryReceive(out Message? message))
            {
                Assert.True(message[0].SequenceEqual(Drawn(message[0].Length, message.Method)));
                received.Add((rank, message.Method));
                Window window = message.WindowOf(0)!;
                message.Release();
                all[rank].PostWindow(window);
            }
        }

        for (ushort i = 1; i <= 100; i++)
        {
            int from = random.Next(9),
                to = random.Next(9),
                length = random.Next(300_000);
            Task<LongDelivery> end = all[from].SendAsync(all[to].Id, i, [Drawn(length, i)], 5 * Second).AsTask();
            sent.Add((from, to, i, length, end));
            cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
            Enumerable.Range(0, 9).Where(r => cube.Cube[r].IsRunning).ToList().ForEach(Take);
            if (i == 60)
            {
                cube.Cube.Kill(cube.Cube.Shape.At(4));
            }
        }

        for (int i = 0; i < 700; i++)
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(10));
            Enumerable.Range(0, 9).Where(r => cube.Cube[r].IsRunning).ToList().ForEach(Take);
        }

        Assert.Equal(received.Count, received.Distinct().Count());
        foreach ((int from, int to, int number, int length, Task<LongDelivery> end) in sent.Where(s => s.From != 4))
        {
            Assert.True(end.IsCompletedSuccessfully, $"{number} from {from} to {to}");
            bool isThere = received.Contains((to, number));
            Assert.True(
                ResultOf(end).Status != LongStatus.Delivered || isThere || to == 4,
                $"{number}: {ResultOf(end)}"
            );
            Assert.True(ResultOf(end).Status != LongStatus.Discarded || !isThere, $"{number}: {ResultOf(end)}");
        }

        Assert.InRange(sent.Count(s => s.End.IsCompleted && ResultOf(s.End).Status == LongStatus.Delivered), 40, 100);

        // What was of the dead server is gone with it: others have its memory.
        foreach (IEndpoint endpoint in all.Where((_, rank) => rank != 4))
        {
            endpoint.Dispose();
        }

        cube.AssertNothingLeft();
    }

    [Fact]
    public void Windows_come_from_one_memory_and_the_one_used_last_comes_first()
    {
        using var cube = new MessengerCube(2, 1, 1, new MessengerOptions { WindowMemory = 64 << 10 });
        MessengerService messenger = cube[A];
        Assert.False(messenger.TryRentWindow(0, out _));
        Assert.False(messenger.TryRentWindow(-1, out _));
        Assert.False(messenger.TryRentWindow(int.MaxValue, out _));
        Assert.False(messenger.TryRentWindow((64 << 10) + 1, out _));
        Assert.True(messenger.TryRentWindow(10_000, out Window? one));
        Assert.True(messenger.TryRentWindow(16_384, out Window? two));
        Assert.Equal((16_384, 16_384), (one.Length, two.Length));
        Assert.False(messenger.TryRentWindow(40_000, out _));
        messenger.ReturnWindow(two);
        messenger.ReturnWindow(one);
        Assert.True(messenger.TryRentWindow(9_000, out Window? again));
        Assert.Same(one, again);
        messenger.ReturnWindow(again);

        // Free ones of other sizes make room.
        Assert.True(messenger.TryRentWindow(64 << 10, out Window? all));
        Assert.False(messenger.TryRentWindow(1, out _));
        messenger.ReturnWindow(all);
        Assert.Throws<ArgumentException>(() => messenger.ReturnWindow(new Window(new byte[4_096])));
        cube.AssertNothingLeft();
    }
}
