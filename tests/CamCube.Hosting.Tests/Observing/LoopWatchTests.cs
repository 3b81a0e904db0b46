using CamCube.Hosting.Observing;
using CamCube.Hosting.Settings;
using CamCube.Hosting.Tests.Kit;
using CamCube.Runtime;
using CamCube.Runtime.Watching;
using CamCube.Testing;

namespace CamCube.Hosting.Tests.Observing;

/// <summary>What the watch makes of its looks at a loop: lines, health, and patience with a process that stood still.
/// The thread is the test.</summary>
public sealed class LoopWatchTests : IDisposable
{
    private static readonly Coordinate Here = new(1, 0, 0);
    private readonly TestClock _clock = new();
    private readonly FakeCubeFactory _cube = new();
    private readonly LogLines<LoopWatch> _log = new();
    private readonly LogLines<HeldPackets> _heldLog = new();
    private readonly WatchOptions _options = new();
    private readonly HeldPackets _held;
    private readonly LoopWatch _watch;

    public LoopWatchTests()
    {
        _cube.Create(
            new Cubes.CubeRequest(
                new TorusShape(2, 1, 1),
                null,
                [],
                new ServerOptions(),
                new NoEvents(),
                1,
                new Dictionary<string, string>()
            )
        );
        _held = new HeldPackets(_options, _heldLog);
        _watch = new LoopWatch(_cube.Cube!, _options, _held, _clock, _log);
    }

    public void Dispose() => _watch.Dispose();

    [Fact]
    public void A_hung_loop_is_one_line_with_its_name_then_unready_then_dead_and_a_line_when_it_goes_on()
    {
        _watch.Serving();
        Let(1);
        Assert.Empty(Levels());
        Assert.True(_watch.IsWell);

        Hang("mistakes", "OnPacket");
        Let(4.9);
        Assert.Empty(Levels());
        Assert.Equal(["the loop is nudged"], _cube.Journal.Entries);
        Let(0.3);
        Assert.Equal([HealthLevel.NotReady], Levels());
        Assert.False(_watch.IsWell);
        Let(20);
        Assert.Equal("loop of 1,0,0 has been in mistakes.OnPacket for 25.2 s", Assert.Single(_watch.Reasons()).Text);
        Let(40);
        Assert.Equal([HealthLevel.Dead], Levels());
        Assert.Equal(
            "Error: loop of 1,0,0 has been in mistakes.OnPacket for 5 s; nothing else there goes on",
            Assert.Single(_log.Lines)
        );

        GoOn();
        Let(0.1);
        Assert.Empty(Levels());
        Assert.True(_watch.IsWell);
        Assert.Equal(
            "Warning: The loop goes on; it was in mistakes.OnPacket on server 1,0,0 for 65.2 s",
            _log.Lines[1]
        );
        Assert.Equal(2, _log.Lines.Count);
        Assert.Single(_cube.Journal.Entries);
    }

    [Fact]
    public void A_process_that_stood_still_is_not_taken_for_one_whose_loop_hangs()
    {
        Hang("innocent", "timer");
        Let(0.1);
        for (int i = 0; i < 10; i++)
        {
            // Stopped for an hour, and the loop had no time either.
            _clock.Advance(TimeSpan.FromHours(1));
            _watch.Look();
        }

        Assert.Empty(_watch.Reasons());
        Assert.Empty(_log.Lines);
        Let(6);
        Assert.Equal([HealthLevel.NotReady], Levels());
    }

    [Fact]
    public void A_loop_that_hangs_outside_of_services_says_so()
    {
        long since = -1;
        _cube.Look = nanos => new LoopSight(LoopPhase.Runs, nanos - (since = since < 0 ? nanos : since), null);
        Let(6);
        Assert.StartsWith(
            "Error: loop of the servers has not turned for 5 s, in no service's code",
            Assert.Single(_log.Lines),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void A_loop_that_has_ended_is_not_fed_for_and_its_reason_is_the_cubes_own()
    {
        _cube.Look = static _ => new LoopSight(LoopPhase.Ended, 0, null);
        Let(0.1);
        Assert.False(_watch.IsWell);
        Assert.Empty(_watch.Reasons());
    }

    [Fact]
    public void Who_waits_in_vain_for_a_loop_learns_where_it_is_at_once()
    {
        Let(1);
        Assert.Null(_watch.Describe());
        Hang("slowpoke", "constructor");
        Let(0.1);
        Assert.Equal("loop of 1,0,0 has been in slowpoke.constructor for 0.1 s", _watch.Describe());
    }

    [Fact]
    public void Slow_callbacks_are_warned_of_at_once_then_once_a_minute_with_a_count_for_each_service()
    {
        Slow("early", 1);
        _watch.Serving();
        for (int i = 0; i < 100; i++)
        {
            Slow("a", i == 50 ? 0.3 : 0.02);
            Slow("b", 0.005);
        }

        Assert.Equal(
            "Warning: a.OnPacket on server 1,0,0 ran for 20 ms or more, in which nothing else there went on; "
                + "such callbacks of the service since "
                + "the last line: 1",
            Assert.Single(_log.Lines)
        );
        Let(60);
        Assert.Equal(2, _log.Lines.Count);
        Assert.Contains("ran for 300 ms or more", _log.Lines[1], StringComparison.Ordinal);
        Assert.EndsWith(": 99", _log.Lines[1], StringComparison.Ordinal);
        Let(200);
        Assert.Equal(2, _log.Lines.Count);
        Slow("c", 0.5);
        Slow("a", 0.05);
        Assert.Equal(4, _log.Lines.Count);
    }

    [Fact]
    public void A_service_that_holds_most_of_the_packets_for_long_is_named_and_the_host_degraded_until_it_lets_go()
    {
        _cube.Held = 2_048;
        Let(30);
        Assert.Empty(_held.Reasons());
        _cube.Held = 2_049;
        Let(9);
        Assert.Empty(_held.Reasons());
        Let(6);
        Assert.Equal(
            [
                new HealthReason(HealthLevel.Degraded, "service echo on server 0,0,0 holds 2049 of 4096 packets"),
                new HealthReason(HealthLevel.Degraded, "service echo on server 1,0,0 holds 2049 of 4096 packets"),
            ],
            _held.Reasons()
        );
        Let(30);
        Assert.Equal(
            "Warning: Service echo on server 0,0,0 has held most of its server's packets for 00:00:10: "
                + "2049 of 4096 now; it may have lost them",
            Assert.Single(_heldLog.Lines)
        );
        Let(60);
        Assert.Equal(2, _heldLog.Lines.Count);
        _cube.Held = 3;
        Let(3);
        Assert.Empty(_held.Reasons());
    }

    [Fact]
    public void A_loop_that_sleeps_is_looked_at_half_as_often_until_it_is_seen_awake()
    {
        TimeSpan often = _watch.Pause;
        Assert.Equal(_options.SlowCallback / 2, often);
        _cube.Look = static _ => new LoopSight(LoopPhase.Runs, 0, null) { IsAsleep = true };
        _watch.Look();
        Assert.Equal(2 * often, _watch.Pause);
        GoOn();
        _watch.Look();
        Assert.Equal(often, _watch.Pause);
    }

    [Fact]
    public void A_loop_that_has_an_alarm_is_looked_at_when_it_rings_and_often_while_it_is_seen_awake()
    {
        var alarm = new FakeAlarm();
        _cube.CreateAlarm = after =>
        {
            Assert.Equal(_options.SlowCallback, after);
            return alarm;
        };
        int looks = 0;
        _cube.Look = _ => new LoopSight(LoopPhase.Runs, 0, null)
        {
            IsAsleep = Interlocked.Increment(ref looks) is not (3 or 4 or 5),
        };
        _watch.Start();
        alarm.TakeWait();
        Assert.Equal(1, looks);
        alarm.Ring();
        alarm.TakeWait();
        Assert.Equal(2, looks);

        // Awake three times, between which it is not waited for.
        alarm.Ring();
        alarm.TakeWait();
        Assert.Equal(6, looks);
        _watch.Dispose();
        Assert.Equal([_options.HungAfter / 8], alarm.Limits.Distinct());
        Assert.True(alarm.IsDisposed);
    }

    private HealthLevel[] Levels() => [.. _watch.Reasons().Select(r => r.Level)];

    // The looks of so much time, as the thread would make them.
    private void Let(double seconds)
    {
        for (int i = 0; i < seconds * 200; i++)
        {
            _clock.Advance(TimeSpan.FromMilliseconds(5));
            _watch.Look();
        }
    }

    private void Hang(string service, string callback)
    {
        long since = -1;
        _cube.Look = nanos =>
        {
            since = since < 0 ? nanos - 5_000_000 : since;
            return new LoopSight(
                LoopPhase.Runs,
                nanos - since,
                new CallbackSight(Here, service, callback, nanos - since)
            );
        };
    }

    private void GoOn() => _cube.Look = static _ => new LoopSight(LoopPhase.Runs, 0, null);

    private void Slow(string service, double seconds)
    {
        Hang(service, "OnPacket");
        Let(seconds);
        GoOn();
        Let(0.005);
    }
}
