using CamCube.Runtime.Core;
using CamCube.Runtime.Services;
using CamCube.Testing;

namespace CamCube.Runtime.Tests;

/// <summary>Faults at inconvenient moments.</summary>
public sealed class FaultEdgeTests
{
    private const ushort Id = 0x0301;

    [Fact]
    public void The_rest_of_the_local_packets_is_delivered_after_one_of_them_made_its_service_throw()
    {
        Script bad = new()
        {
            Packet = static (Scripted _, in HopContext hop, Packet _) => throw new InvalidOperationException("no"),
        };
        Script good = new();
        using TestCube cube = new TestCube(1, 1, 1).Add(bad.Define(Id)).Add(good.Define(0x0302));
        _ = cube.Cube;
        bad[0].Launch(default(Coordinate));
        good[0].Launch(default(Coordinate));
        good[0].Server.Loop.Post(_ => good.Log.Add("posted"), null);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, good[0].Ended);
        Assert.Equal(["posted"], good.Log);
        cube.AssertNoPackets();
    }

    [Fact]
    public void A_finally_block_that_releases_runs_before_the_packets_are_reclaimed()
    {
        Script script = new();
        script.Packet = static (Scripted self, in HopContext hop, Packet packet) =>
        {
            self.Server.Packets.Take(packet);
            try
            {
                throw new InvalidOperationException("body of the try");
            }
            finally
            {
                self.Server.Packets.Release(packet);
            }
        };
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define(Id));
        _ = cube.Cube;
        script[0].Launch(new Coordinate(1, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.AssertOneFault<InvalidOperationException>("body of the try");
        cube.AssertNoPackets();
    }

    [Fact]
    public void A_service_that_faults_inside_its_packet_callback_and_then_answers_leaks_nothing()
    {
        foreach (Verdict verdict in (Verdict[])[Verdict.Hold, Verdict.Consume, Verdict.Forward, Verdict.Taken])
        {
            Script script = new();
            script.Packet = (Scripted self, in HopContext hop, Packet packet) =>
            {
                self.Server.Loop.Run(static () => throw new InvalidOperationException("at once"));
                if (verdict == Verdict.Taken)
                {
                    self.Server.Packets.Take(packet);
                }

                return verdict;
            };
            using TestCube cube = new TestCube(2, 1, 1).Add(script.Define(Id));
            _ = cube.Cube;
            script[0].Launch(new Coordinate(1, 0, 0), 10);
            cube.Advance(TimeSpan.FromMilliseconds(1));
            cube.AssertOneFault<InvalidOperationException>("at once");
            cube.AssertNoPackets();
        }
    }

    [Fact]
    public void What_an_old_instance_still_does_touches_nobody()
    {
        Script script = new();
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define(Id));
        _ = cube.Cube;
        Scripted old = script[0];
        Packet stale = old.Rent();
        IOutboundTurn turn = old.Server.AddSource(old);
        ServerTimer timer = old.Server.CreateTimer(() => script.Log.Add("timer"));
        old.Server.CreateTimer(() => throw new InvalidOperationException("end of the old one")).Arm(TimeSpan.Zero);
        cube.Advance(TimeSpan.FromSeconds(2));
        Scripted young = script[0];
        Assert.NotSame(old, young);
        var held = Enumerable.Range(0, 200).Select(_ => young.Rent()).ToList();

        turn.Ready = Link.XPlus;
        timer.Arm(TimeSpan.Zero);
        old.Server.Loop.Post(_ => script.Log.Add("posted"), null);
        Assert.False(old.Server.Packets.TryRent(0, out _));
        Swallow(() => old.Server.Send(stale, new Coordinate(1, 0, 0)));
        Swallow(() => old.Server.Packets.Release(stale));
        Swallow(() => old.Server.Packets.Take(stale));
        Swallow(() => old.Server.AddSource(old));
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(0, old.Polls);
        Assert.Equal(["posted"], script.Log);
        Assert.Equal(0, script[1].Arrived);
        young.Server.AddSource(young).Ready = LinkSet.None;
        held.ForEach(young.Server.Packets.Release);
        cube.AssertNoPackets();
    }

    [Fact]
    public void The_link_state_service_itself_restarts_and_so_do_those_who_wait_for_their_restart()
    {
        Script script = new();
        using TestCube cube = new TestCube(3, 1, 1).Add(script.Define(Id));
        _ = cube.Cube;
        script[0].Server.Loop.Post(static _ => throw new InvalidOperationException("service"), null);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.Cube.ServerOf<LinkStateService>(0)
            .Loop.Post(static _ => throw new InvalidOperationException("link state"), null);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(2, cube.Faults.Count);
        cube.Advance(TimeSpan.FromSeconds(4));
        cube.AwaitConverged();
        Assert.Equal(2, cube.Faults.Count);
        Assert.All(cube[0].Status.Services, s => Assert.Equal(ServiceState.Running, s.State));
        Assert.Equal(3, cube[0].Topology.ReachableCount);
        script[0].Launch(new Coordinate(1, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, script[1].Ended);
        cube.AssertNoPackets();
    }

    private static void Swallow(Action act)
    {
        // Whether it throws or does nothing is the runtime's choice: the old instance is nobody's any more.
        Record.Exception(act);
    }
}
