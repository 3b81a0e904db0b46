using CamCube.Runtime.Cubes;
using CamCube.Runtime.Gates;
using CamCube.Runtime.Hosts;
using CamCube.Runtime.Services;
using CamCube.Testing;

namespace CamCube.Runtime.Tests;

/// <summary>Other code in the place of a service of a server that runs.</summary>
public sealed class ReplacementTests
{
    private const ushort Id = 0x0301,
        Other = 0x0302;
    private static readonly Coordinate End = new(2, 0, 0);
    private readonly Script _old = new(),
        _new = new(),
        _other = new();

    [Fact]
    public void The_new_code_takes_over_between_two_packets_and_others_notice_nothing()
    {
        List<StopReason> told = [];
        _old.Stop = (_, reason) => told.Add(reason);
        _old.Constructor = _new.Constructor = server => server.Counters.Create("made", "1").Add();
        using TestCube cube = Make();
        Scripted victim = _old[1];
        victim.Held.Add(victim.Rent(5_000));
        victim.Held.Add(victim.Rent());
        victim.Server.CreateTimer(() => Assert.Fail("a timer of the old")).Arm(TimeSpan.FromMilliseconds(5));

        // A crowd of packets is on its way through the server, and a hostile one throws in the middle of it.
        _other.Packet = static (Scripted self, in HopContext hop, Packet packet) =>
            packet.Header<long>() == 50 && hop.IsDestination ? throw new InvalidOperationException("hostile")
            : hop.IsDestination ? Verdict.Consume
            : Verdict.Forward;
        for (int i = 0; i < 50; i++)
        {
            Assert.Equal(SendResult.Accepted, _other[0].Launch(End, number: i));
            Assert.Equal(SendResult.Accepted, _old[0].Launch(End, number: i));
        }

        Assert.Equal(ReplaceStatus.Done, Replace(cube, 1, _new.Define(Id, header: 16)).Status);
        cube.Advance(TimeSpan.FromMilliseconds(10));

        Assert.Equal([StopReason.Replaced], told);
        Assert.Equal((3, 1), (_old.Made, _new.Made));
        Assert.Equal(50, _other[2].Ended);
        ServiceStatus status = StatusOf(cube, 1, Id);
        Assert.Equal((ServiceState.Running, 0L), (status.State, status.Faults));
        Assert.Equal(2, status.Counters.Single(counter => counter.Name == "made").Value);
        cube.AssertNoPackets();

        // A packet of the old code has a shorter header: it is dropped, not misread.
        int arrived = _new[1].Arrived;
        long dropped = Drops(cube);
        _old[0].Launch(new Coordinate(1, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal((arrived, dropped + 1), (_new[1].Arrived, Drops(cube)));
        _new[1].Launch(new Coordinate(1, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(arrived + 1, _new[1].Arrived);
        _other[0].Launch(End, number: 50);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.AssertOneFault<InvalidOperationException>();

        static long Drops(TestCube cube) => cube.Cube.StatusOf(1).Drops.Sum(drop => drop.Count);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void New_code_that_does_not_start_leaves_the_old_one_begun_anew(bool inConstructor)
    {
        if (inConstructor)
        {
            _new.Constructor = static _ => throw new FormatException("no\nluck");
        }
        else
        {
            _new.Start = static _ => throw new FormatException("no\nluck");
        }

        using TestCube cube = Make();
        Scripted before = _old[1];

        ReplaceResult result = Replace(cube, 1, _other.Define(Other), _new.Define(Id));

        Assert.Equal(
            (ReplaceStatus.Refused, "scripted-0301 threw FormatException: no luck"),
            (result.Status, result.Reason)
        );
        Assert.Equal(ServiceState.Running, StatusOf(cube, 1, Id).State);
        Assert.NotSame(before, _old[1]);

        // The restart that the fault of the new code would have had does not come.
        int made = _old.Made;
        cube.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(made, _old.Made);
        _old[0].Launch(new Coordinate(1, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, _old[1].Ended);
        cube.AssertOneFault<FormatException>();
    }

    [Fact]
    public void A_server_starts_again_with_the_code_that_it_had_last_and_a_stopped_one_with_what_came_meanwhile()
    {
        using TestCube cube = Make();
        Assert.Equal(ReplaceStatus.Done, Replace(cube, 1, _new.Define(Id)).Status);
        object context = Context(cube, 2);
        cube.Kill(new Coordinate(1, 0, 0));
        cube.Kill(new Coordinate(2, 0, 0));
        Assert.Equal(ReplaceStatus.Later, Replace(cube, 2, _new.Define(Id), context).Status);
        int made = _new.Made;
        cube.Revive(new Coordinate(1, 0, 0));
        cube.Revive(new Coordinate(2, 0, 0));
        cube.AwaitConverged();
        Assert.Equal(made + 2, _new.Made);
        Assert.Same(
            _new[2],
            cube.Cube.ServerOf<Scripted>(2) == _new[2].Server ? _new[2] : cube.Cube.Service<Scripted>(2)
        );
        cube.AssertQuiet();
    }

    [Fact]
    public void A_service_that_is_stopped_or_waits_for_its_restart_starts_with_new_code()
    {
        using TestCube cube = new TestCube(3, 1, 1)
            .Add(_old.Define(Id, onFault: FaultPolicy.StopHere))
            .Add(_other.Define(Other));
        _ = cube.Cube;
        _old[1].Server.Loop.Post(static _ => throw new FormatException("old"), null);
        _other[1].Server.Loop.Post(static _ => throw new FormatException("old"), null);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(
            (ServiceState.Stopped, ServiceState.Faulted),
            (StatusOf(cube, 1, Id).State, StatusOf(cube, 1, Other).State)
        );

        Script another = new();
        Assert.Equal(ReplaceStatus.Done, Replace(cube, 1, _new.Define(Id), another.Define(Other)).Status);
        cube.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(
            (ServiceState.Running, ServiceState.Running, 1),
            (StatusOf(cube, 1, Id).State, StatusOf(cube, 1, Other).State, another.Made)
        );
        Assert.Equal(2, cube.Faults.Count);
    }

    [Fact]
    public void What_is_not_there_is_not_replaced()
    {
        using TestCube cube = Make();
        Assert.Equal(
            "server 1,0,0 has no service 0x0399 'scripted-0399'.",
            Replace(cube, 1, _new.Define(0x0399)).Reason
        );
        Assert.Equal(0, _new.Made);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_trial_finds_what_would_throw_and_touches_nobody()
    {
        TorusShape shape = new(3, 3, 3);
        Script good = new()
        {
            Start = static self =>
            {
                self.Held.Add(self.Rent(100));
                self.Launch(End);
                self.Server.CreateTimer(static () => { }).Arm(TimeSpan.FromSeconds(1));
                self.Server.Loop.Run(async () => await self.Server.DelayAsync(TimeSpan.FromHours(1)));
            },
        };
        Assert.Null(ServiceTrial.Run(shape, default, new ServerOptions(), [good.Define()]));
        Assert.Equal(1, good.Made);

        Script bad = new() { Start = static _ => throw new FormatException("no") };
        Assert.Equal(
            "scripted-0301 threw FormatException: no",
            ServiceTrial.Run(shape, default, new ServerOptions(), [good.Define(), bad.Define(Id)])
        );

        // Of others it cannot know.
        Script needy = new() { Start = static self => _ = self.Activation.Dependency<IDisposable>().Value };
        Assert.Null(ServiceTrial.Run(shape, default, new ServerOptions(), [needy.Define()]));
        Assert.Null(SynchronizationContext.Current as Engine.LoopContext);
    }

    private TestCube Make()
    {
        TestCube cube = new TestCube(3, 1, 1).Add(_old.Define(Id)).Add(_other.Define(Other));
        _ = cube.Cube;
        return cube;
    }

    private static ServiceStatus StatusOf(TestCube cube, int rank, ushort id) =>
        cube.Cube.StatusOf(rank).Services.Single(service => service.Id.Value == id);

    private static object Context(TestCube cube, int rank) => ((ServerGate)cube[rank].Gate).Current!.Context;

    private static ReplaceResult Replace(TestCube cube, int rank, params ServiceDefinition[] next) =>
        Replace(cube, rank, next, Context(cube, rank));

    private static ReplaceResult Replace(TestCube cube, int rank, ServiceDefinition next, object context) =>
        Replace(cube, rank, [next], context);

    private static ReplaceResult Replace(TestCube cube, int rank, ServiceDefinition[] next, object context) =>
        cube.Await(
            new ValueTask<ReplaceResult>(
                ((ServerGate)cube.Cube.GateOf(rank)).ReplaceServicesAsync((Engine.CubeContext)context, rank, next)
            )
        );
}
