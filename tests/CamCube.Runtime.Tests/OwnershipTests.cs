using CamCube.Testing;

namespace CamCube.Runtime.Tests;

public sealed class OwnershipTests
{
    private static readonly Coordinate There = new(1, 0, 0);
    private static readonly Coordinate Here = new(0, 0, 0);

    /// <summary>What a careless service does with the packet of a callback, and a word of the remedy that the message
    /// must name.</summary>
    public static TheoryData<string, string> Mistakes =>
        new()
        {
            { "send, then forward", "rent another" },
            { "send locally, then forward", "" },
            { "send, then via", "rent another" },
            { "send, then to all", "rent another" },
            { "send, then consume", "rent another" },
            { "send, then drop", "rent another" },
            { "send, then hold", "rent another" },
            { "send twice", "rent another" },
            { "take, then forward", "Verdict.Taken" },
            { "take, then consume", "Verdict.Taken" },
            { "take, then hold", "Verdict.Taken" },
            { "take twice", "Verdict.Taken" },
            { "release, then forward", "released before" },
            { "release, then consume", "released before" },
            { "release twice", "released before" },
            { "release, then send", "released before" },
            { "release, then share", "released before" },
            { "taken without taking", "not taken" },
            { "send of a packet of another service", "service holds it" },
            { "release of a packet of another service", "service holds it" },
        };

    [Theory]
    [MemberData(nameof(Mistakes))]
    public void A_mistake_with_a_packet_is_a_fault_of_that_service_only_and_names_the_remedy(
        string mistake,
        string remedy
    )
    {
        Script good = new(),
            bad = new();
        Packet? foreign = null;
        bad.Packet = (Scripted self, in HopContext hop, Packet packet) =>
            hop.IsDestination && self.Server.Coordinate == There
                ? Err(mistake, self, packet, foreign!)
                : Verdict.Forward;
        using TestCube cube = new TestCube(3, 1, 1).Add(bad.Define(0x0301)).Add(good.Define(0x0302));
        _ = cube.Cube;
        foreign = good[1].Rent(10);
        bad[0].Launch(There, body: 100);
        cube.Advance(TimeSpan.FromMilliseconds(1));

        cube.AssertOneFault<OwnershipException>(remedy);
        Assert.Equal(There, cube.Faults[0].Server);
        Assert.Equal("scripted-0301", cube.Faults[0].Service);
        good[1].Server.Packets.Release(foreign);
        AssertOthersGoOn(cube, good);
        cube.AssertNoPackets();

        cube.Advance(TimeSpan.FromSeconds(2));
        mistake = "nothing";
        bad[0].Launch(There);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, bad[1].Ended);
        cube.AssertNoPackets();
    }

    [Theory]
    [InlineData("packet of a callback")]
    [InlineData("packet that was sent")]
    [InlineData("packet that was released")]
    [InlineData("packet of another service")]
    public void A_source_that_gives_a_packet_that_is_not_its_own_is_contained(string mistake)
    {
        Script bad = new(),
            good = new();
        using TestCube cube = new TestCube(2, 1, 1).Add(bad.Define(0x0301)).Add(good.Define(0x0302));
        _ = cube.Cube;
        Packet foreign = good[0].Rent();
        Scripted self = bad[0];
        self.Poll = _ =>
        {
            Packet packet = self.Rent();
            switch (mistake)
            {
                case "packet that was released":
                    self.Server.Packets.Release(packet);
                    return packet;
                case "packet of another service":
                    self.Server.Packets.Release(packet);
                    return foreign;
                default:
                    self.Server.Send(packet, mistake == "packet that was sent" ? There : Here);
                    return packet;
            }
        };
        self.Server.AddSource(self).Ready = Link.XPlus;
        cube.Advance(TimeSpan.FromMilliseconds(1));

        cube.AssertOneFault<OwnershipException>();
        good[0].Server.Packets.Release(foreign);
        AssertOthersGoOn(cube, good);
        cube.AssertNoPackets();
    }

    [Fact]
    public void A_packet_that_was_sent_cannot_be_sent_from_a_timer_either()
    {
        Script script = new();
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define());
        Scripted self = Started(cube, script);
        Packet packet = self.Rent();
        self.Server.CreateTimer(() =>
            {
                self.Server.Send(packet, There);
                self.Server.Send(packet, There);
            })
            .Arm(TimeSpan.FromMilliseconds(1));
        cube.Advance(TimeSpan.FromMilliseconds(2));
        cube.AssertOneFault<OwnershipException>("sent");
        cube.AssertNoPackets();
    }

    [Fact]
    public void Access_to_a_packet_that_was_sent_is_found_at_once_in_debug_builds()
    {
        Script script = new();
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define());
        Scripted self = Started(cube, script);
        Packet packet = self.Rent(8);
        self.Server.Send(packet, There);
#if DEBUG
        OwnershipException e = Assert.Throws<OwnershipException>(() => packet.Header<long>() = 1);
        Assert.Contains("stale reference", e.Message, StringComparison.Ordinal);
        Assert.Contains("Owners:", e.Message, StringComparison.Ordinal);
        Assert.Throws<OwnershipException>(() => packet.WritableBody());
        Assert.Throws<OwnershipException>(() => packet.Body.Length);
        Assert.Throws<OwnershipException>(() => packet.HopLimit = 3);
#else
        Assert.Throws<OwnershipException>(() => self.Server.Send(packet, There));
        Assert.Throws<OwnershipException>(() => self.Server.Packets.Release(packet));
        Assert.Throws<OwnershipException>(() => self.Server.Packets.TryShare(packet, out _));
#endif
        cube.AssertQuiet();
    }

    [Fact]
    public void What_is_held_can_be_sent_later_and_travels_on()
    {
        Script script = new()
        {
            Packet = static (Scripted self, in HopContext hop, Packet packet) =>
            {
                if (hop.IsDestination)
                {
                    return Verdict.Consume;
                }

                self.Held.Add(packet);
                return Verdict.Hold;
            },
        };
        using TestCube cube = new TestCube(4, 1, 1).Add(script.Define());
        Started(cube, script).Launch(new Coordinate(2, 0, 0), body: 77);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Scripted holder = Assert.Single(script.Running.Values, s => s.Held.Count > 0);
        Packet packet = Assert.Single(holder.Held);
        Assert.Equal(77, packet.BodyLength);
        Assert.Equal(SendResult.Accepted, holder.Server.Send(packet, packet.Destination));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, script[2].Ended);
        cube.AssertQuiet();
    }

    [Fact]
    public void TrySend_empties_the_variable_only_when_accepted()
    {
        Script script = new();
        using TestCube cube = new TestCube(3, 1, 1).Add(script.Define());
        Scripted self = Started(cube, script);
        Packet? packet = self.Rent();
        Assert.Equal(SendResult.Accepted, self.Server.TrySend(ref packet, There));
        Assert.Null(packet);

        packet = self.Rent(self.Server.Packets.MaxPayload - 8);
        packet.VirtualLength = 1;
        Assert.Equal(SendResult.TooLarge, self.Server.TrySend(ref packet, There));
        Assert.NotNull(packet);
        packet.VirtualLength = 0;
        Assert.Equal(SendResult.Accepted, self.Server.TrySend(ref packet, There));
        Assert.Null(packet);
        Assert.Throws<ArgumentNullException>(() => self.Server.TrySend(ref packet, There));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(2, script[1].Ended);
        cube.AssertQuiet();
    }

    private static Verdict Err(string mistake, Scripted self, Packet packet, Packet foreign)
    {
        IServer server = self.Server;
        Coordinate away = new(2, 0, 0);
        string[] steps = mistake.Split(", then ");
        switch (steps[0])
        {
            case "send" or "send twice":
                server.Send(packet, away);
                break;
            case "send locally":
                server.Send(packet, server.Coordinate);
                break;
            case "take" or "take twice":
                server.Packets.Take(packet);
                break;
            case "release" or "release twice":
                server.Packets.Release(packet);
                break;
            case "taken without taking":
                return Verdict.Taken;
            case "send of a packet of another service":
                server.Send(foreign, away);
                break;
            case "release of a packet of another service":
                server.Packets.Release(foreign);
                break;
            default:
                return Verdict.Consume;
        }

        switch (mistake)
        {
            case "send twice" or "release, then send":
                server.Send(packet, away);
                break;
            case "take twice":
                server.Packets.Take(packet);
                break;
            case "release twice":
                server.Packets.Release(packet);
                break;
            case "release, then share":
                server.Packets.TryShare(packet, out _);
                break;
        }

        return steps[^1] switch
        {
            "forward" => Verdict.Forward,
            "via" => Verdict.Via(Link.XPlus),
            "to all" => Verdict.ViaAll((LinkSet)Link.XPlus | Link.Local),
            "consume" => Verdict.Consume,
            "drop" => Verdict.Drop(DropReason.Unwanted),
            "hold" => Verdict.Hold,
            _ => Verdict.Taken,
        };
    }

    private static Scripted Started(TestCube cube, Script script)
    {
        _ = cube.Cube;
        return script[0];
    }

    private static void AssertOthersGoOn(TestCube cube, Script good)
    {
        int before = good[1].Ended;
        good[0].Launch(There);
        good[1].Launch(There);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(before + 2, good[1].Ended);
    }
}
