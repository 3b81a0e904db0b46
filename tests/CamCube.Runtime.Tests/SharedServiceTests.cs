using CamCube.Runtime.Loop;
using CamCube.Runtime.Services;

namespace CamCube.Runtime.Tests;

/// <summary>Other threads in a server: they see its time, wake its loop for what they made due, and their failures are
/// the service's.</summary>
public sealed class SharedServiceTests : IDisposable
{
    private static readonly TimeSpan TimeOut = TimeSpan.FromSeconds(60);
    private readonly BareServer _server;
    private readonly ISharedService<Guest> _shared;
    private readonly long _now;
    private int _wakes;

    public SharedServiceTests()
    {
        _server = new BareServer(
            new TorusShape(1, 1, 1),
            0,
            ServiceDefinition.Of(typeof(Guest), a => new Guest(a.Server))
        );
        LoopInbox inbox = _server.Context.Inbox;
        Assert.Null(_server.Gate.TryShare<Guest>());
        inbox.Clock = () => _now;

        // It sleeps: nothing is due soon.
        _server.StepUntil(1_000);
        inbox.Lock = new LoopLock();
        _now = _server.Now + 500;
        Assert.InRange(_server.Server.Hot.Ref.Next(), _now + 2_000, long.MaxValue);
        inbox.Wake = () => _wakes++;
        _shared = _server.Gate.TryShare<Guest>()!;
    }

    public void Dispose() => _server.Dispose();

    [Fact]
    public void Who_comes_in_sees_the_time_of_now_though_the_loop_sleeps()
    {
        Assert.True(_server.Context.Inbox.TryDeclareAsleep());
        Guest guest = _shared.Enter()!;
        Assert.Equal(_now, guest.Now);
        _shared.Leave();
        Assert.Equal(_now, _server.Server.Now);
    }

    [Fact]
    public void A_loop_that_sleeps_is_woken_for_what_became_due_and_for_nothing_else()
    {
        Assert.True(_server.Context.Inbox.TryDeclareAsleep());
        _ = _shared.Enter()!.Now;
        _shared.Leave();
        Assert.Equal(0, _wakes);
        _shared.Enter()!.Arm(TimeSpan.FromMicroseconds(2));
        _shared.Leave();
        Assert.Equal(1, _wakes);

        // It is on its way: nobody need wake it again.
        _shared.Enter()!.Arm(TimeSpan.FromMicroseconds(1));
        _shared.Leave();
        Assert.Equal(1, _wakes);
        Assert.Equal(1, _server.Context.Inbox.Drain());
        Assert.True(_server.Context.Inbox.TryDeclareAsleep());
        _shared.Enter()!.Post();
        _shared.Leave();
        Assert.Equal(2, _wakes);
    }

    [Fact]
    public void A_loop_that_is_about_to_sleep_does_not()
    {
        _shared.Enter()!.Arm(TimeSpan.FromMicroseconds(2));
        _shared.Leave();
        Assert.False(_server.Context.Inbox.TryDeclareAsleep());
    }

    [Fact]
    public void What_the_service_throws_is_its_fault_and_the_next_finds_none()
    {
        Guest guest = _shared.Enter()!;
        Assert.NotNull(guest);
        _shared.Fault(new InvalidOperationException("It breaks."));
        _shared.Leave();
        Assert.Equal("It breaks.", Assert.Single(_server.Faults).Message);
        Assert.Null(_shared.Enter());
        _shared.Leave();
    }

    [Fact]
    public void One_at_a_time_is_in()
    {
        const int Threads = 4,
            Rounds = 50_000;
        using var start = new Barrier(Threads);
        var threads = Enumerable
            .Range(0, Threads)
            .Select(_ => new Thread(() =>
            {
                start.SignalAndWait();
                for (int i = 0; i < Rounds; i++)
                {
                    Guest guest = _shared.Enter()!;
                    int count = guest.Count;
                    Thread.SpinWait(1);
                    guest.Count = count + 1;
                    _shared.Leave();
                }
            }))
            .ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => Assert.True(thread.Join(TimeOut)));
        Assert.Equal(Threads * Rounds, _shared.Enter()!.Count);
        _shared.Leave();
    }

#if DEBUG
    [Fact]
    public void Nobody_is_in_two_servers()
    {
        var other = new LoopLock();
        _shared.Enter();
        Assert.Throws<InvalidOperationException>(other.Enter);
        _shared.Leave();
        other.Enter();
        Assert.True(other.IsMine);
        other.Leave();
    }
#endif

    [CamCubeService(0x7F11, "guest")]
    private sealed class Guest : CamCubeService
    {
        private readonly IServer _server;
        private readonly ServerTimer _timer;

        public Guest(IServer server) => (_server, _timer) = (server, server.CreateTimer(static () => { }));

        public int Count { get; set; }

        public long Now => _server.NowNanos;

        public void Arm(TimeSpan delay) => _timer.Arm(delay);

        public void Post() => _server.Loop.Post(static _ => { }, null);

        public override Verdict OnPacket(in HopContext hop, Packet packet) => Verdict.Consume;
    }
}
