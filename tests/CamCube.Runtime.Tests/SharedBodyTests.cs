using CamCube.Testing;

namespace CamCube.Runtime.Tests;

public sealed class SharedBodyTests
{
    private static readonly LinkSet Around = (LinkSet)Link.XPlus | Link.XMinus | Link.YPlus | Link.YMinus | Link.Local;

    [Fact]
    public void A_writer_copies_the_body_and_the_others_keep_theirs()
    {
        Script script = new();
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define());
        _ = cube.Cube;
        IServer server = script[0].Server;
        Packet first = script[0].Rent(4_000);
        first.WritableBody().Fill(7);
        Assert.False(first.IsBodyShared);
        Assert.True(server.Packets.TryShare(first, out Packet? second));
        Assert.True(server.Packets.TryShare(second, out Packet? third));
        Assert.True(first.IsBodyShared && second.IsBodyShared && third.IsBodyShared);

        second.WritableBody()[0] = 9;
        Assert.False(second.IsBodyShared);
        Assert.True(first.IsBodyShared);
        Assert.Equal((7, 9, 7), (first.Body[0], second.Body[0], third.Body[0]));
        Assert.Equal(7, second.Body[3_999]);

        third.WritableBody()[1] = 3;
        Assert.False(first.IsBodyShared);
        first.WritableBody()[2] = 4;
        Assert.Equal(new byte[] { 7, 7, 4 }, first.Body[..3].ToArray());
        Assert.Equal(new byte[] { 9, 7, 7 }, second.Body[..3].ToArray());
        Assert.Equal(new byte[] { 7, 3, 7 }, third.Body[..3].ToArray());
        foreach (Packet packet in (Packet[])[first, second, third])
        {
            server.Packets.Release(packet);
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void Headers_addresses_and_lengths_are_private_to_each_copy()
    {
        Script script = new();
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define());
        _ = cube.Cube;
        IServer server = script[0].Server;
        Packet first = script[0].Rent(100);
        first.Header<long>() = 1;
        Assert.True(server.Packets.TryShare(first, out Packet? second));
        Assert.Equal(1, second.Header<long>());
        second.Header<long>() = 2;
        second.HopLimit = 3;
        second.Destination = new Coordinate(1, 0, 0);
        second.SetBodyLength(10);
        Assert.Equal(1, first.Header<long>());
        Assert.NotEqual(3, first.HopLimit);
        Assert.Equal(100, first.BodyLength);
        Assert.Equal(new Coordinate(0, 0, 0), first.Destination.Server);
        server.Packets.Release(first);
        Assert.Equal(10, second.Body.Length);
        server.Packets.Release(second);
        cube.AssertQuiet();
    }

    [Fact]
    public void SendToAll_makes_one_copy_per_link_and_one_for_this_server()
    {
        Script script = new() { Packet = WriteAndConsume };
        using TestCube cube = new TestCube(3, 3, 1).Add(script.Define());
        _ = cube.Cube;
        Packet packet = script[0].Rent(1_000);
        packet.WritableBody().Clear();
        packet.HopLimit = 5;
        Assert.Equal(SendResult.Accepted, script[0].Server.SendToAll(packet, Around));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, script[0].Arrived);
        Assert.Equal(5, script.Running.Values.Sum(s => s.Arrived));
        Assert.All(script.Running.Values.Where(s => s.Arrived > 0), s => Assert.Equal(1, s.Arrived));
        cube.AssertQuiet();
    }

    [Fact]
    public void ViaAll_copies_on_the_way_share_the_body_and_a_local_copy_comes_back()
    {
        int locals = 0;
        Script script = new();
        script.Packet = (Scripted self, in HopContext hop, Packet packet) =>
        {
            if (packet.Header<long>() == 0 && hop.IsDestination)
            {
                packet.Header<long>() = 1;
                return Verdict.ViaAll(Around);
            }

            if (packet.Header<long>() == 0)
            {
                return Verdict.Forward;
            }

            locals += hop.ArrivedOn == Link.Local ? 1 : 0;
            return WriteAndConsume(self, hop, packet);
        };
        using TestCube cube = new TestCube(3, 3, 1).Add(script.Define());
        _ = cube.Cube;
        Packet packet = script[0].Rent(1_000);
        packet.WritableBody().Clear();
        script[0].Server.Send(packet, new Coordinate(1, 1, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, locals);
        Assert.Equal(2, script[4].Arrived);
        cube.AssertQuiet();
    }

    [Fact]
    public void ViaAll_of_nothing_consumes()
    {
        Script script = new()
        {
            Packet = static (Scripted _, in HopContext hop, Packet packet) => Verdict.ViaAll(LinkSet.None),
        };
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define());
        _ = cube.Cube;
        Packet packet = script[0].Rent();
        packet.HopLimit = 1;
        script[0].Server.Send(packet, new Coordinate(1, 0, 0));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, script[1].Arrived);
        Assert.Empty(cube[1].Status.Drops);
        cube.AssertQuiet();
    }

    [Fact]
    public void SendToAll_answers_with_the_worst_copy_and_counts_links_without_a_cable()
    {
        Script script = new();
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define());
        _ = cube.Cube;
        LinkSet links = (LinkSet)Link.XPlus | Link.ZPlus;
        Assert.Equal(SendResult.LinkDown, script[0].Server.SendToAll(script[0].Rent(), links));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, script[1].Arrived);
        Assert.Equal(1, cube[0].DropsOf(DropReason.LinkDown));
        cube.AssertQuiet();
    }

    private static Verdict WriteAndConsume(Scripted self, in HopContext hop, Packet packet)
    {
        // Each copy must see zeros, whatever the others wrote into theirs.
        Assert.Equal(0, packet.Body[0]);
        packet.WritableBody()[0] = 1;
        return Verdict.Consume;
    }
}
