using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;
using CamCube.Topology;

namespace CamCube.Simulator.Tests.Checkers;

/// <summary>Each checker is shown something that must not be, and something that may.</summary>
public sealed class CheckerTests
{
    private static readonly TorusShape Ring = new(1, 1, 3);

    [Fact]
    public void The_truth_knows_connected_parts_distances_and_the_majority()
    {
        var truth = new TrueCube(new TorusShape(1, 1, 6));
        Assert.True(truth.IsOneMajority());
        Assert.Equal(3, truth.Diameter());
        truth.SetRuns(0, false);
        Assert.Equal((5, 4), (truth.SizeOf(truth.ComponentOf(1)), truth.Diameter()));
        truth.AddCut(3, Link.ZPlus, +1);
        Assert.Equal(2, truth.Components);
        Assert.False(truth.HasMajority(truth.ComponentOf(1)) || truth.HasMajority(truth.ComponentOf(5)));
        truth.AddCut(3, Link.ZPlus, +1);
        Assert.False(truth.AddCut(3, Link.ZPlus, -1));
        Assert.True(truth.AddCut(3, Link.ZPlus, -1));
        Assert.True(truth.IsOneMajority());
        truth.SetRuns(5, false);
        truth.SetRuns(4, false);
        Assert.False(truth.IsOneMajority());
        truth.SetRuns(0, true);
        Assert.Equal(4, truth.RunningCount);
        Assert.True(truth.IsOneMajority());
    }

    [Fact]
    public void Two_servers_that_hold_themselves_to_be_root_are_measured_and_a_failure_when_nothing_excuses_it()
    {
        foreach (bool isStrict in (bool[])[true, false])
        {
            var roots = new RootChecker(new TrueCube(Ring), isStrict);
            roots.Look([Whole(0), Whole(1), Whole(2)]);
            roots.CheckExactlyOne(1);
            Assert.Empty(roots.Failures);
            CubeView without0 = CubeView
                .Whole(Ring)
                .With([new(Ring.At(1), 1, 1, Bits(Link.ZPlus)), new(Ring.At(2), 1, 1, Bits(Link.ZMinus))]);
            roots.Look([new Claim(1_000, 1, without0, true), new Claim(6_000, 0, null, false)]);
            Assert.Equal((1, 5_000), (roots.Overlaps, roots.LongestOverlapNanos));
            Assert.Equal(isStrict ? 1 : 0, roots.FailureCount);
            ulong route = ((Destination)Ring.At(0)).Route;
            Assert.True(roots.HadTwoRoots(route, 4_999, 6_000, 9_000));
            Assert.False(
                roots.HadTwoRoots(route, 5_000, 6_000, 9_000) || roots.HadTwoRoots(route, 4_999, 6_001, 9_000)
            );
            Assert.False(roots.HadTwoRoots(((Destination)Ring.At(2)).Route, 0, 0, 9_000));
        }
    }

    [Fact]
    public void Two_roots_in_one_connected_part_whose_views_agree_are_always_a_failure()
    {
        var roots = new RootChecker(new TrueCube(Ring), isStrict: false);
        CubeView without0 = CubeView
            .Whole(Ring)
            .With([new(Ring.At(1), 1, 1, Bits(Link.ZPlus)), new(Ring.At(2), 1, 1, Bits(Link.ZMinus))]);
        roots.Look([Whole(0), Whole(2), new Claim(1_000, 1, without0, true)]);
        roots.LookNow(2_000, rank => rank == 1 ? 7u : 8u);
        Assert.Empty(roots.Failures);
        roots.LookNow(2_000, _ => 7);
        Assert.Single(roots.Failures);
        roots.CheckExactlyOne(3_000);
        Assert.Equal(2, roots.FailureCount);
    }

    [Fact]
    public void A_settled_cube_in_which_the_wrong_server_or_nobody_is_root_is_a_failure()
    {
        var truth = new TrueCube(Ring);
        var roots = new RootChecker(truth, isStrict: true);
        roots.Look([Whole(0), Whole(1)]);
        roots.CheckExactlyOne(1);
        Assert.Contains("nobody is root", Assert.Single(roots.Failures).What, StringComparison.Ordinal);

        // Without a majority nobody may be.
        truth.SetRuns(1, false);
        truth.SetRuns(2, false);
        roots.CheckExactlyOne(2);
        Assert.Equal(2, roots.FailureCount);
    }

    [Fact]
    public void Deliveries_elsewhere_again_or_never_are_noticed()
    {
        var truth = new TrueCube(Ring);
        var deliveries = new DeliveryChecker(truth, isStrict: true, mayDouble: false);
        ulong route = ((Destination)Ring.At(1)).Route;
        deliveries.Look(
            [Whole(0), Whole(1), Whole(2)],
            [],
            [new KeyPacket(10, 1, 1, route), new KeyPacket(11, 1, 2, route)]
        );
        Assert.Empty(deliveries.Failures);
        deliveries.Look([], [], [new KeyPacket(12, 2, 3, route)]);
        Assert.Equal((1, 1), (deliveries.Misdelivered, deliveries.FailureCount));
        deliveries.Look([], [], [new KeyPacket(13, 1, 2, route)]);
        Assert.Equal((1, 2), (deliveries.Doubled, deliveries.FailureCount));
        deliveries.Watch(20, 30);
        KeyPacket[] sent = [new(19, 0, 4, route), new(20, 0, 5, route), new(30, 0, 6, route)];
        deliveries.Look([], [.. sent], [new KeyPacket(31, 1, 5, route)]);
        deliveries.EndWatch(40);
        Assert.Equal((2, 3), (deliveries.Watched, deliveries.FailureCount));

        // After its keys were given up the next server is the root, before that it is not.
        deliveries.Look(
            [new Claim(50, 1, null, false)],
            [],
            [new KeyPacket(49, 1, 7, route), new KeyPacket(51, truth.FirstOf(route, r => r != 1), 8, route)]
        );
        Assert.Equal(1, deliveries.Misdelivered);
    }

    [Fact]
    public void A_cube_that_does_not_know_its_cables_has_not_settled()
    {
        using SwarmCube cube = Make();
        var reachability = new ReachabilityChecker(cube.Cube, cube.Truth);
        var convergence = new ConvergenceChecker(reachability, cube.Truth, 200_000_000);
        Assert.Equal(601_000_000, convergence.Begin(0));
        cube.Cube.AdvanceTo(601_000_000);
        convergence.Look(cube.Cube.NowNanos);
        Assert.True(convergence.End(cube.Cube.NowNanos));
        reachability.CheckDistances(cube.Cube.NowNanos);
        Assert.Empty(reachability.Failures);

        // Something that the truth is not told.
        cube.Cube.Cut(0, Link.ZPlus);
        convergence.Begin(cube.Cube.NowNanos);
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        convergence.Look(cube.Cube.NowNanos);
        Assert.False(convergence.End(cube.Cube.NowNanos));
        reachability.CheckDistances(cube.Cube.NowNanos);
        Assert.Single(convergence.Failures);
        Assert.Single(reachability.Failures);
        cube.Truth.AddCut(0, Link.ZPlus, +1);
        Assert.Null(reachability.WhatDiffers());
        Assert.Equal([0], convergence.TimesNanos);
    }

    [Fact]
    public void A_packet_that_somebody_keeps_is_a_leak_and_one_that_nobody_counted_is_missing()
    {
        using SwarmCube cube = Make(
            new ServiceDefinition
            {
                Id = new ServiceId(0x0702),
                Name = "keeper",
                Create = a => new Keeper(a.Server),
            }
        );
        var packets = new PacketChecker(cube);
        Assert.True(packets.AwaitQuiet());
        packets.CheckCables();
        packets.CheckServices(0, 0, isComplete: true);
        Assert.Empty(packets.Failures);
        packets.CheckServices(1, 0, isComplete: true);
        packets.CheckServices(1, 0, isComplete: false);
        Assert.Equal(2, packets.FailureCount);
        cube.Cube.Service<Keeper>(0).Keep();
        Assert.False(packets.AwaitQuiet());
        Assert.Equal(3, packets.FailureCount);
    }

    [Fact]
    public void A_question_without_an_answer_in_a_settled_cube_is_noticed()
    {
        var pings = new PingTraffic(Ring, 1_000);
        using SwarmCube cube = Make(pings.Define());
        var checker = new PingChecker(cube.Truth, pings);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(100));
        checker.Check(0, 90_000_000);
        Assert.Empty(checker.Failures);
        Assert.True(checker.Checks > 100);
        cube.Cube.Lose = (_, _, packet) => packet.Service.Value > 0x100;
        cube.Cube.Advance(TimeSpan.FromMilliseconds(100));
        checker.Check(100_000_000, 190_000_000);
        Assert.Single(checker.Failures);
    }

    [Fact]
    public void An_exception_of_a_service_is_noticed()
    {
        var history = new ClaimHistory(Ring);
        var checker = new FaultChecker();
        checker.Check(history, 1);
        Assert.Empty(checker.Failures);
        ((IServerEvents)history).ServiceFaulted(
            Ring.At(1),
            "x",
            new InvalidOperationException("no"),
            willRestart: true
        );
        checker.Check(history, 1, fault => fault.EndsWith("no", StringComparison.Ordinal));
        Assert.Empty(checker.Failures);
        checker.Check(history, 2, fault => fault.StartsWith("y ", StringComparison.Ordinal));
        Assert.Contains("x at 0,0,1", Assert.Single(checker.Failures).What, StringComparison.Ordinal);
    }

    private static Claim Whole(int rank) => new(0, rank, CubeView.Whole(Ring), true);

    private static byte Bits(Link up) => (byte)(((LinkSet)up).Bits | CubeEntry.KeysBit);

    private static SwarmCube Make(params ServiceDefinition[] services) =>
        new(
            new SwarmOptions
            {
                Seed = 1,
                Shape = Ring.ToString(),
                Services = [],
            },
            services
        );

    private sealed class Keeper(IServer server) : CamCubeService
    {
        public void Keep() => Assert.True(server.Packets.TryRent(0, out _));
    }
}
