namespace CamCube.Cabling.Tests;

/// <summary>Random cubes, losses, delays, starters, and faults.</summary>
public sealed class CablingPropertyTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Random_cubes_start_in_any_order_through_losses(int seed)
    {
        var random = new Random(seed);
        for (int round = 0; round < 4; round++)
        {
            int netSeed = random.Next();
            CablingNet net = RandomCube(random, netSeed, out string words);

            Assert.True(
                net.RunUntilAdmitted(40),
                $"{words}:\n{string.Join('\n', net.Servers.Select(s => $"{s} {s.Protocol?.Report.Waiting}"))}"
            );
            CablingCubeTests.AssertPlacedAsCabled(net);
            foreach (NetCable cable in net.Cables)
            {
                cable.Loss = 0;
            }

            Assert.True(
                net.RunUntil(
                    () =>
                        net.Servers.All(s =>
                            s.Report.Faults.Count == 0 && s.Report.WorkingCables == s.Report.ExpectedCables
                        ),
                    10
                ),
                $"{words}:\n"
                    + string.Join('\n', net.Servers.SelectMany(s => s.Report.Faults).Select(f => f.Text).Distinct())
            );
        }
    }

    [Theory]
    [InlineData(11)]
    [InlineData(12)]
    [InlineData(13)]
    [InlineData(14)]
    public void With_faults_every_wrong_port_is_named_and_every_right_cable_works(int seed)
    {
        var random = new Random(seed);
        int placed = 0;
        for (int round = 0; round < 6; round++)
        {
            int netSeed = random.Next();
            CablingNet net = RandomCube(random, netSeed, out string words);
            string faults = RandomFaults.Apply(net, random, random.Next(1, 4));
            words = $"{words}: {faults}";
            net.Run(12);
            foreach (NetCable cable in net.Cables)
            {
                cable.Loss = 0;
            }

            net.Run(3);
            NetServer[] members = [.. net.Members];
            NetServer[] without = [.. members.Where(s => s.Place is null)];
            if (without.Length > 0)
            {
                // Too little is right for one cube: nobody may think otherwise, and everybody says so.
                Assert.True(without.Length == members.Length, $"{words}: {without.Length} of {members.Length} wait");
                Assert.All(members, s => Assert.StartsWith("waiting for its place: ", s.Report.Waiting));
                Assert.Contains(members, s => s.Report.Faults.Count > 0);
                continue;
            }

            placed++;
            bool isSmall = members.Any(s => s.MaxFrame.Count > 0);
            Assert.All(members, s => Assert.Equal(isSmall ? 1_514 : 9_014, s.Protocol!.MaxFrameLength));
            Assert.True(members.Select(s => s.Place).Distinct().Count() == members.Length, words);
            foreach (NetServer server in members)
            {
                CheckNamed(net, server, words);
            }
        }

        Assert.True(placed >= 2, $"only {placed} of 6 were placed");
    }

    /// <summary>Admitted is exactly what is cabled as the places want it, and a fault stands at every other port that
    /// should have a cable, on the lists of all servers.</summary>
    private static void CheckNamed(CablingNet net, NetServer server, string words)
    {
        foreach (Cables.CablePort port in server.Ports)
        {
            Link link = server.LinkOf(port.Number);
            Coordinate expected = net.Shape.Step(server.Place!.Value, link);
            bool belongs = net.Shape.CabledLinks(server.Place.Value).Contains(link);
            bool isCabled = server.Cables.TryGetValue(port.Number, out NetCable? cable);
            (NetServer Server, int Port) there = isCabled ? cable!.From(server, port.Number) : default;
            bool isRight =
                belongs
                && isCabled
                && there.Server.Place == expected
                && there.Server.LinkOf(there.Port) == link.Opposite();
            bool isWrong = belongs ? !isRight : isCabled;
            Assert.True(
                server.Protocol!.Admitted.Contains(link) == isRight,
                $"{words}: {server} {link.Name()} is right: {isRight}"
            );
            int mismatches = server.Report.Faults.Count(f =>
                f.ServerId == server.Id.ToString() && f.Link == link && f.Kind == CablingFaultKind.FrameLength
            );
            bool differs =
                isRight && server.MaxFrame.ContainsKey(port.Number) != there.Server.MaxFrame.ContainsKey(there.Port);
            Assert.True(
                mismatches == (differs ? 1 : 0),
                $"{words}: {server} {link.Name()} has {mismatches} mismatches"
            );
            foreach (NetServer teller in net.Members.Where(s => s == server || s.Index == 0))
            {
                bool isNamed = teller.Report.Faults.Any(f =>
                    f.ServerId == server.Id.ToString() && f.Link == link && f.Kind != CablingFaultKind.FrameLength
                );
                Assert.True(
                    isNamed == isWrong,
                    $"{words}: {teller} about {server} {link.Name()}, wrong: "
                        + $"{isWrong}\n{string.Join('\n', teller.Report.Faults.Select(f => f.Text))}"
                );
            }
        }
    }

    private static CablingNet RandomCube(Random random, int seed, out string words)
    {
        var shape = new TorusShape(1 + random.Next(5), 1 + random.Next(5), 1 + random.Next(4), random.Next(2) == 0);
        var net = CablingNet.Cube(shape, seed, random.Next(2) == 0 ? static (_, axis) => Links.Of(axis, 1) : null);
        double loss = random.Next(3) * 0.1;
        foreach (NetServer server in net.Servers)
        {
            server.StartAt = random.NextInt64(2 * CablingNet.Second);
        }

        foreach (NetCable cable in net.Cables)
        {
            (cable.Loss, cable.DelayNanos) = (loss, 1_000 + random.NextInt64(2_000_000));
        }

        words =
            $"{shape}{(shape.ParallelCables ? "" : net.OnlyPort is null ? " single" : " single, one name")}, "
            + $"loss {loss:F1}, seed {seed}";
        return net;
    }
}
