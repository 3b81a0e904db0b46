using System.Runtime.Versioning;
using CamCube.Runtime.Gates;
using CamCube.Runtime.Loop;

namespace CamCube.Runtime.Tests;

/// <summary>Work from other threads when one of it throws, and after the loop's end.</summary>
public sealed class LoopInboxTests
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void Work_that_throws_costs_no_other_work_its_turn(int throwing)
    {
        var inbox = new LoopInbox();
        var log = new List<int>();
        for (int i = 0; i < 10; i++)
        {
            int mine = i;
            inbox.Post(
                new Act(() =>
                {
                    log.Add(mine);
                    if (mine % 3 == 1 && mine / 3 < throwing)
                    {
                        throw new FormatException($"{mine}");
                    }
                })
            );
        }

        Exception e = Assert.ThrowsAny<Exception>(() => inbox.Drain());
        Assert.Equal(Enumerable.Range(0, 10), log);
        if (throwing == 1)
        {
            Assert.IsType<FormatException>(e);
        }
        else
        {
            Assert.Equal(
                ["1", "4", "7"],
                Assert.IsType<AggregateException>(e).InnerExceptions.Select(inner => inner.Message)
            );
        }

        Assert.Equal(0, inbox.Drain());
    }

    [Fact]
    public void After_the_end_nobody_who_posts_gets_what_the_work_of_others_throws()
    {
        var inbox = new LoopInbox();
        inbox.Close();
        int ran = 0;
        inbox.Post(
            new Act(() =>
            {
                // Somebody else posts meanwhile: he neither waits nor is handed the exception.
                var other = new Thread(() => inbox.Post(new Act(() => ran++)));
                other.Start();
                Assert.True(other.Join(Generous));
                throw new FormatException("on purpose");
            })
        );
        Assert.Equal(1, ran);
        inbox.Post(new Act(() => ran++));
        Assert.Equal(2, ran);
    }

    [Fact]
    [SupportedOSPlatform("linux")]
    public async Task After_the_end_two_threads_never_have_turns_of_one_agent_at_once()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Loops wait for descriptors on Linux only.");
        using var loop = new LoopAgents();
        var inbox = new LoopInbox { Agents = loop };
        var shape = new TorusShape(1, 1, 1);
        var agent = new Agent();
        ILoopSeat seat = new ServerGate(inbox, shape.At(0), shape, 16).TryJoin(agent)!;
        inbox.Close();
        Task first = Task.Run(seat.Wake, TestContext.Current.CancellationToken);
        Assert.True(agent.Began.Wait(Generous, TestContext.Current.CancellationToken));

        // Its own turn comes when the first has ended, wherever.
        Task second = Task.Run(seat.Wake, TestContext.Current.CancellationToken);
        await Task.WhenAny(second, agent.BeganAgain).WaitAsync(Generous, TestContext.Current.CancellationToken);
        agent.MayEnd.Set();
        await Task.WhenAll(first, second).WaitAsync(Generous, TestContext.Current.CancellationToken);
        Assert.Equal((2, 1), (agent.Turns, agent.MostAtOnce));
    }

    private sealed class Act(Action act) : LoopWork
    {
        public override void Execute() => act();
    }

    private sealed class Agent : ILoopAgent<string>
    {
        private readonly TaskCompletionSource _again = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _inside;

        public ManualResetEventSlim Began { get; } = new();

        public ManualResetEventSlim MayEnd { get; } = new();

        public Task BeganAgain => _again.Task;

        public int Turns { get; private set; }

        public int MostAtOnce { get; private set; }

        public long Turn(string? service, ReadOnlySpan<LoopEvent> events, long nowNanos)
        {
            MostAtOnce = Math.Max(MostAtOnce, Interlocked.Increment(ref _inside));
            if (++Turns == 1)
            {
                Began.Set();
                Assert.True(MayEnd.Wait(Generous));
            }
            else
            {
                _again.SetResult();
            }

            Interlocked.Decrement(ref _inside);
            return long.MaxValue;
        }
    }
}
