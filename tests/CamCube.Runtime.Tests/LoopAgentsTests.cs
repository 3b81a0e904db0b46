using System.Runtime.Versioning;
using CamCube.Linux;
using CamCube.Runtime.Loop;

namespace CamCube.Runtime.Tests;

[SupportedOSPlatform("linux")]
public sealed class LoopAgentsTests
{
    [Fact]
    public void An_event_gives_its_agent_a_turn_and_nobody_else()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Loops wait for descriptors on Linux only.");
        using var loop = new LoopAgents();
        using var signal = new WakeSignal();
        Seat one = new(loop),
            other = new(loop);
        ((ILoopSeat)one).Watch(signal.Handle, LoopEvents.Readable, "one");
        loop.Wait(0);
        Assert.Equal(0, loop.TurnAll(0));
        signal.Set();
        loop.Wait(0);
        Assert.True(loop.HasDue);
        Assert.Equal(1, loop.TurnAll(0));
        Assert.Equal(["one"], one.Seen);
        Assert.Equal((1, 0), (one.Turns, other.Turns));
    }

    [Fact]
    public void An_agent_that_leaves_in_its_turn_costs_nobody_his()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Loops wait for descriptors on Linux only.");
        using var loop = new LoopAgents();
        using WakeSignal first = new(),
            second = new(),
            third = new();
        Seat leaving = new(loop) { Leaves = true },
            left = new(loop),
            last = new(loop);
        ((ILoopSeat)leaving).Watch(first.Handle, LoopEvents.Readable, "first");
        ((ILoopSeat)left).Watch(second.Handle, LoopEvents.Readable, "second");
        ((ILoopSeat)last).Watch(third.Handle, LoopEvents.Readable, "third");
        first.Set();
        second.Set();
        third.Set();
        loop.Wait(0);
        Assert.Equal(3, loop.TurnAll(0));
        Assert.Equal((1, 1, 1), (leaving.Turns, left.Turns, last.Turns));

        // Still readable, and told again to those who stayed.
        loop.Wait(0);
        loop.TurnAll(0);
        Assert.Equal((1, 2, 2), (leaving.Turns, left.Turns, last.Turns));
    }

    [Fact]
    public void A_deadline_gives_a_turn_without_an_event()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Loops wait for descriptors on Linux only.");
        using var loop = new LoopAgents();
        Seat seat = new(loop) { Next = 500 };
        seat.Turn();
        Assert.Equal(500, loop.Deadline);
        Assert.Equal(0, loop.TurnAll(499));
        seat.Next = long.MaxValue;
        Assert.Equal(1, loop.TurnAll(500));
        Assert.Equal(long.MaxValue, loop.Deadline);
    }

    [Fact]
    public void An_agent_that_is_woken_in_a_turn_while_a_wake_of_it_waits_takes_nothing_out_of_the_inbox()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Loops wait for descriptors on Linux only.");
        using var loop = new LoopAgents();
        using var signal = new WakeSignal();
        var inbox = new LoopInbox();
        Seat seat = new(loop, inbox) { WakesItself = static turn => turn == 1 };
        ((ILoopSeat)seat).Watch(signal.Handle, LoopEvents.Readable | LoopEvents.EdgeTriggered, "signal");
        Work before = new(),
            after = new();

        // Other threads post, the last of them wakes the seat; before the loop looks there again the seat has a turn,
        // because of an event.
        inbox.Post(before);
        ((ILoopSeat)seat).Wake();
        signal.Set();
        loop.Wait(0);
        Assert.Equal(1, loop.TurnAll(0));
        inbox.Post(after);

        // The seat's second turn is the one it asked for.
        Assert.Equal(3, inbox.Drain());
        Assert.Equal((1, 1), (before.Runs, after.Runs));
        Assert.Equal(1, loop.TurnAll(0));
        Assert.Equal(0, inbox.Drain() + loop.TurnAll(0));
        Assert.Equal(2, seat.Turns);
    }

    [Fact]
    public void A_wake_in_a_turn_gives_another_turn()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Loops wait for descriptors on Linux only.");
        using var loop = new LoopAgents();
        var inbox = new LoopInbox();
        Seat seat = new(loop, inbox) { WakesItself = static turn => turn <= 2 };
        ((ILoopSeat)seat).Wake();
        for (int turn = 1; turn <= 3; turn++)
        {
            Assert.Equal(1, inbox.Drain());
            Assert.Equal(1, loop.TurnAll(0));
            Assert.Equal(turn, seat.Turns);
        }

        Assert.Equal(0, inbox.Drain() + loop.TurnAll(0));
    }

    [Fact]
    public async Task What_other_threads_post_is_run_once_each_while_they_wake_an_agent_that_wakes_itself_now_and_then()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Loops wait for descriptors on Linux only.");
        const int Threads = 3,
            Each = 20_000;
        using var loop = new LoopAgents();
        using var signal = new WakeSignal();
        var inbox = new LoopInbox();
        Seat seat = new(loop, inbox) { WakesItself = static turn => turn % 2 == 0 };
        ((ILoopSeat)seat).Watch(signal.Handle, LoopEvents.Readable | LoopEvents.EdgeTriggered, "signal");
        Work[][] all =
        [
            .. Enumerable.Range(0, Threads).Select(_ => Enumerable.Range(0, Each).Select(_ => new Work()).ToArray()),
        ];
        Task posting = Task.WhenAll(
            all.Select(mine =>
                Task.Run(() =>
                {
                    foreach (Work work in mine)
                    {
                        inbox.Post(work);
                        ((ILoopSeat)seat).Wake();
                        signal.Set();
                    }
                })
            )
        );
        bool isLast;
        do
        {
            // What was posted before this look is drained after it.
            isLast = posting.IsCompleted;
            inbox.Drain();
            loop.Wait(0);
            loop.TurnAll(0);
        } while (!isLast);
        inbox.Drain();
        await posting;
        Assert.Equal(Threads * Each, all.Sum(mine => mine.Count(work => work.Runs == 1)));
    }

    private sealed class Work : LoopWork
    {
        public int Runs { get; private set; }

        public override void Execute() => Runs++;
    }

    private sealed class Seat(LoopAgents agents, LoopInbox inbox) : LoopSeat(agents, inbox)
    {
        public override Coordinate Server => default;

        public override string Service => "test";

        public Seat(LoopAgents agents)
            : this(agents, new LoopInbox()) { }

        /// <summary>In which turns, counted from 1.</summary>
        public Predicate<int> WakesItself { get; init; } = static _ => false;

        public bool Leaves { get; init; }

        public long Next { get; set; } = long.MaxValue;

        public int Turns { get; private set; }

        public List<object> Seen { get; } = [];

        protected override void Note(Exception fault) => throw new NotSupportedException();

        protected override long Turn(ReadOnlySpan<LoopEvent> events)
        {
            Turns++;
            foreach (LoopEvent one in events)
            {
                Seen.Add(one.Source);
            }

            if (WakesItself(Turns))
            {
                ((ILoopSeat)this).Wake();
            }

            if (Leaves)
            {
                ((ILoopSeat)this).Leave();
            }

            return Next;
        }
    }
}
