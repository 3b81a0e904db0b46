using System.Diagnostics;
using System.Runtime.Versioning;
using CamCube.Runtime.Hosts;
using CamCube.Runtime.Services;
using CamCube.Runtime.Watching;
using CamCube.Testing;

namespace CamCube.Runtime.Tests.Watching;

/// <summary>When who looks at a loop is woken: by one that is awake for long, and by none that sleeps in
/// between.</summary>
[SupportedOSPlatform("linux")]
public sealed class LoopAlarmTests
{
    private const long Milli = 1_000_000;
    private const long After = 20 * Milli;
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan Several = TimeSpan.FromMilliseconds(100);
    private static readonly TorusShape Shape = new(2, 1, 1);

    [Fact]
    public void A_loop_that_stays_awake_rings_once()
    {
        using var alarm = new LoopAlarm(After);
        TimeSpan waited = Time(() =>
        {
            alarm.Awake(0);
            alarm.Wait(Generous);
        });
        Assert.InRange(waited, TimeSpan.FromMilliseconds(20), Generous / 2);
        Assert.True(Time(() => alarm.Wait(Several)) >= Several, "it rang again");
    }

    [Fact]
    public void One_that_sleeps_again_does_not()
    {
        using var alarm = new LoopAlarm(After);
        for (long now = 0; now < 1_000 * Milli; now += 100 * Milli)
        {
            alarm.Awake(now);
            alarm.Sleep(now + Milli);
        }

        Assert.True(Time(() => alarm.Wait(Several)) >= Several, "it rang");
    }

    [Fact]
    public void One_that_has_slept_for_moments_and_stays_awake_then_rings()
    {
        // The timer is neither taken back before the last sleep nor set after it: what it was set to is enough.
        using var alarm = new LoopAlarm(After);
        alarm.Awake(0);
        alarm.Sleep(Milli);
        alarm.Awake(2 * Milli);
        alarm.Sleep(3 * Milli);
        alarm.Awake(4 * Milli);
        Assert.True(Time(() => alarm.Wait(Generous)) < Generous / 2, "it did not ring");
    }

    [Fact]
    public void A_wait_can_be_ended_now_and_before_it_begins()
    {
        using var alarm = new LoopAlarm(After);
        var other = new Thread(alarm.End);
        other.Start();
        Assert.True(Time(() => alarm.Wait(Generous)) < Generous / 2, "it went on");
        other.Join();
        Assert.True(Time(() => alarm.Wait(Generous)) < Generous / 2, "it began");
    }

    [Fact]
    public async Task A_callback_that_does_not_end_in_a_loop_that_slept_is_seen_after_the_alarm()
    {
        using var goesOn = new ManualResetEventSlim();
        await using var cube = new CableCube(
            new MemoryWire(Shape),
            MemoryWire.Request(Shape, Shape.At(0)),
            [ServiceDefinition.Of(static _ => new Sleeper())],
            new ServerOptions(),
            new NoEvents(),
            1
        );
        await cube.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        using ILoopAlarm alarm = cube.CreateAlarm(TimeSpan.FromMilliseconds(20))!;
        while (!cube.LookAtLoop(0).IsAsleep) { }

        Task<int> call = cube.GateOf(0)
            .CallAsync<Sleeper, ManualResetEventSlim, int>(static (s, e) => new(s.WaitFor(e)), goesOn)
            .AsTask();
        LoopSight sight;
        do
        {
            alarm.Wait(Generous);
            sight = cube.LookAtLoop(0);
        } while (sight.IsAsleep);
        cube.LookAtLoop(Milli);
        Assert.Equal("sleeper.call", cube.LookAtLoop(2 * Milli).Callback!.Value.Name);
        goesOn.Set();
        await call.WaitAsync(Generous);
    }

    private static TimeSpan Time(Action action)
    {
        long begin = Stopwatch.GetTimestamp();
        action();
        return Stopwatch.GetElapsedTime(begin);
    }

    [CamCubeService(0x0324, "sleeper")]
    private sealed class Sleeper : CamCubeService
    {
        public int WaitFor(ManualResetEventSlim signal)
        {
            signal.Wait();
            return 0;
        }

        public override Verdict OnPacket(in HopContext hop, Packet packet) => Verdict.Consume;
    }
}
