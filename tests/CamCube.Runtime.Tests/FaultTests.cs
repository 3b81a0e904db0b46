using CamCube.Runtime.Services;
using CamCube.Testing;

namespace CamCube.Runtime.Tests;

public sealed class FaultTests
{
    private const ushort Id = 0x0301;
    private static readonly Coordinate End = new(2, 0, 0);

    public static TheoryData<string> Places =>
        [
            "packet",
            "timer",
            "poll",
            "posted",
            "run before an await",
            "run after an await",
            "topology",
            "constructor at restart",
            "start at restart",
            "gate call",
            "gate call after an await",
            "returning",
            "time provider timer",
            "async void",
        ];

    [Theory]
    [MemberData(nameof(Places))]
    public void A_fault_stops_the_service_on_that_server_only_and_what_passes_still_passes(string place)
    {
        Script bad = new(),
            good = new();
        using TestCube cube = new TestCube(5, 1, 1).Add(bad.Define(Id)).Add(good.Define(0x0302));
        _ = cube.Cube;
        Scripted victim = bad[1];
        victim.Held.Add(victim.Rent(5_000));
        victim.Held.Add(victim.Rent());
        bool armed = true;
        Provoke(place, cube, bad, victim, () => armed);
        Assert.True(cube.Faults.Count > 0, "no fault");
        Assert.All(
            cube.Faults,
            f => Assert.Equal((new Coordinate(1, 0, 0), "scripted-0301", true), (f.Server, f.Service, f.WillRestart))
        );
        armed = false;

        // The victim held two packets, one of them with a body: they are back.
        Assert.Equal(ServiceState.Faulted, StateOf(cube, 1, Id));
        Assert.Equal(ServiceState.Running, StateOf(cube, 0, Id));
        Assert.Equal(ServiceState.Running, StateOf(cube, 1, 0x0302));
        cube.AssertNoPackets();

        int before = bad[2].Ended;
        bad[0].Launch(End);
        bad[0].Launch(new Coordinate(1, 0, 0));
        good[0].Launch(new Coordinate(1, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(before + 1, bad[2].Ended);
        Assert.Equal(1, good[1].Ended);
        Assert.True(cube[1].DropsOf(DropReason.Closed) >= 1);

        cube.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(ServiceState.Running, StateOf(cube, 1, Id));
        Assert.NotSame(victim, bad[1]);
        bad[0].Launch(new Coordinate(1, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, bad[1].Ended);
        cube.AssertNoPackets();
    }

    [Fact]
    public void A_restart_comes_after_one_second_that_doubles_up_to_five_minutes_and_always_comes()
    {
        Script script = new();
        var starts = new List<double>();
        bool isCured = false;
        script.Start = self =>
        {
            starts.Add(self.Server.NowNanos / 1e9);
            if (!isCured)
            {
                self.Server.CreateTimer(() => throw new InvalidOperationException("again"))
                    .Arm(TimeSpan.FromSeconds(1));
            }
        };
        using TestCube cube = new TestCube(1, 1, 1).Add(script.Define(Id));
        cube.Advance(TimeSpan.FromHours(3));
        Assert.Equal([0, 2, 5, 10, 19, 36, 69, 134, 263, 520, 821, 1_122], starts.Take(12));
        Assert.All(starts.Skip(9).Zip(starts.Skip(10)), pair => Assert.Equal(301, pair.Second - pair.First, 3));
        Assert.All(cube.Faults, f => Assert.True(f.WillRestart));

        // The cause has gone: nobody needs to come.
        isCured = true;
        cube.Advance(TimeSpan.FromMinutes(6));
        int before = cube.Faults.Count;
        cube.Advance(TimeSpan.FromMinutes(6));
        Assert.Equal(before, cube.Faults.Count);
        Assert.Equal(ServiceState.Running, StateOf(cube, 0, Id));
        cube.AssertNoPackets();
    }

    [Fact]
    public void Faults_that_are_more_than_an_hour_old_do_not_count()
    {
        Script script = new();
        script.Start = self =>
            self.Server.CreateTimer(() => throw new InvalidOperationException("now and then"))
                .Arm(TimeSpan.FromMinutes(20));
        using TestCube cube = new TestCube(1, 1, 1).Add(script.Define(Id));
        cube.Advance(TimeSpan.FromHours(8));
        Assert.True(cube.Faults.Count > 20, $"{cube.Faults.Count} faults");
        Assert.All(cube.Faults, f => Assert.True(f.WillRestart));
    }

    [Fact]
    public void A_service_with_the_policy_StopHere_stays_stopped_and_others_go_on()
    {
        Script script = new()
        {
            Packet = static (Scripted _, in HopContext hop, Packet _) => throw new InvalidOperationException("no"),
        };
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define(Id, onFault: FaultPolicy.StopHere));
        _ = cube.Cube;
        script[0].Launch(new Coordinate(1, 0, 0));
        cube.Advance(TimeSpan.FromMinutes(10));
        Assert.False(Assert.Single(cube.Faults).WillRestart);
        Assert.Equal(ServiceState.Stopped, StateOf(cube, 1, Id));
        Assert.Equal(ServiceState.Running, StateOf(cube, 0, Id));
        Assert.Equal(2, script.Made);
        Assert.Equal(1, cube[1].DropsOf(DropReason.Fault));
    }

    [Fact]
    public void A_throwing_OnStop_is_contained_and_all_others_are_stopped()
    {
        Script bad = new() { Stop = static (_, _) => throw new InvalidOperationException("at the end") };
        Script good = new();
        good.Stop = (self, reason) => good.Log.Add($"{self.Server.Coordinate} {reason}");
        using TestCube cube = new TestCube(2, 1, 1).Add(good.Define(0x0302)).Add(bad.Define(Id));
        _ = cube.Cube;
        bad[0].Rent();
        cube.Shutdown(new Coordinate(0, 0, 0));
        Assert.Equal(["0,0,0 Shutdown"], good.Log);
        Assert.False(Assert.Single(cube.Faults).WillRestart);
        cube.Cube.RemoveService(1, new ServiceId(Id));
        Assert.Equal(2, cube.Faults.Count);
        Assert.False(cube.Faults[1].WillRestart);
        cube.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal(2, bad.Made);
        cube.AssertNoPackets();
    }

    private static ServiceState StateOf(TestCube cube, int rank, ushort id) =>
        cube[rank].Status.Services.Single(s => s.Id.Value == id).State;

    private static void Provoke(string place, TestCube cube, Script script, Scripted victim, Func<bool> armed)
    {
        IServer server = victim.Server;
        ValueTask<int> call = default;
        switch (place)
        {
            case "packet":
                script.Packet = (Scripted self, in HopContext hop, Packet packet) =>
                    armed() && self.Server.Coordinate.X == 1 ? throw new FormatException()
                    : hop.IsDestination ? Verdict.Consume
                    : Verdict.Forward;
                script[0].Launch(End);
                break;
            case "timer":
                server.CreateTimer(static () => throw new FormatException()).Arm(TimeSpan.Zero);
                break;
            case "time provider timer":
                server.TimeProvider.CreateTimer(
                    static _ => throw new FormatException(),
                    null,
                    TimeSpan.Zero,
                    Timeout.InfiniteTimeSpan
                );
                break;
            case "poll":
                victim.Poll = static _ => throw new FormatException();
                server.AddSource(victim).Ready = Link.XPlus;
                break;
            case "posted":
                server.Loop.Post(static _ => throw new FormatException(), null);
                break;
            case "run before an await":
                server.Loop.Run(static () => throw new FormatException());
                break;
            case "run after an await":
                server.Loop.Run(async () =>
                {
                    await server.DelayAsync(TimeSpan.FromMicroseconds(10));
                    throw new FormatException();
                });
                break;
            case "async void":
                server.Loop.Post(_ => Later(), null);
                break;
            case "topology" or "returning":
                script.Topology = (self, _) =>
                {
                    if (armed() && self == victim)
                    {
                        throw new FormatException();
                    }
                };
                cube.Cut(new Coordinate(1, 0, 0), Link.XMinus);
                cube.AwaitUntil(() => cube.Faults.Count > 0);
                cube.Mend(new Coordinate(1, 0, 0), Link.XMinus);
                cube.Advance(TimeSpan.FromMilliseconds(300));
                break;
            case "constructor at restart":
                script.Constructor = s => FailAt(s, armed);
                goto case "posted";
            case "start at restart":
                script.Start = self => FailAt(self.Server, armed);
                goto case "posted";
            case "gate call":
                call = cube[1].Gate.CallAsync<Scripted, int, int>(static (_, _) => throw new FormatException(), 0);
                break;
            case "gate call after an await":
                call = cube[1]
                    .Gate.CallAsync<Scripted, int, int>(
                        static async (s, _) =>
                            await s.Server.DelayAsync(TimeSpan.FromMicroseconds(5)) ? throw new FormatException() : 0,
                        0
                    );
                break;
        }

        bool twice = place.EndsWith("restart", StringComparison.Ordinal);
        cube.Advance(twice ? TimeSpan.FromMilliseconds(1_500) : TimeSpan.FromMilliseconds(1));
        Assert.Equal(twice ? 2 : 1, cube.Faults.Count);
        if (place.StartsWith("gate", StringComparison.Ordinal))
        {
            Assert.Throws<ServiceUnavailableException>(() => cube.Await(call));
        }

        async void Later()
        {
            await server.DelayAsync(TimeSpan.FromMicroseconds(10));
            throw new FormatException();
        }
    }

    private static void FailAt(IServer server, Func<bool> armed)
    {
        if (armed() && server.Coordinate.X == 1)
        {
            throw new FormatException();
        }
    }
}
