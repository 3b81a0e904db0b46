using CamCube.Cables;
using CamCube.Runtime.Wire;

namespace CamCube.Runtime.Tests.Cables;

/// <summary>Links on ports: which packets share a frame, when a link takes none, and what passes which cable.</summary>
public sealed class CableLinksTests
{
    private readonly MemoryPorts _ports = new();
    private readonly ScriptedCabling _cabling = new();
    private readonly Server _server = new();

    [Fact]
    public void Packets_of_one_step_share_a_frame_and_none_waits_for_the_next_step()
    {
        CableLinks links = Open();
        Assert.Equal(
            [5L, 5L, 5L],
            Enumerable.Range(0, 3).Select(i => links.Transmit(Link.XPlus, _server.Packet(100, i), 5))
        );
        Assert.Equal(5, links.Transmit(Link.YMinus, _server.Packet(100, 3), 5));
        Assert.Empty(_ports.Out);
        links.Flush(5);

        Assert.Equal([0, 3], _ports.Out.Select(sent => sent.Port));
        Assert.Equal([0, 1, 2], Bodies(_ports.Out[0].Frame));
        Assert.Equal([3], Bodies(_ports.Out[1].Frame));
        Assert.Equal(0, _server.Living);
    }

    [Fact]
    public void A_frame_holds_what_fits_to_the_last_byte()
    {
        CableLinks links = Open();

        // 1,500 bytes of frame: 4 of its own, then packets of 24 + body.
        links.Transmit(Link.XPlus, _server.Packet(724, 0), 0);
        links.Transmit(Link.XPlus, _server.Packet(724, 1), 0);
        links.Transmit(Link.ZPlus, _server.Packet(724, 0), 0);
        links.Transmit(Link.ZPlus, _server.Packet(725, 1), 0);
        links.Flush(0);

        Assert.Equal([1_500, 752, 753], _ports.Out.Select(sent => sent.Frame.Length));
        Assert.Equal(0, _server.Living);
    }

    [Fact]
    public void Without_aggregation_each_packet_has_its_frame()
    {
        CableLinks links = Open(aggregates: false);
        links.Transmit(Link.XPlus, _server.Packet(10, 0), 0);
        links.Transmit(Link.XPlus, _server.Packet(10, 1), 0);
        links.Flush(0);

        Assert.Equal([38, 38], _ports.Out.Select(sent => sent.Frame.Length));
    }

    [Fact]
    public void A_link_is_full_when_another_packet_might_not_fit_and_free_when_the_system_has_taken_frames()
    {
        CableLinks links = Open();
        _ports.Takes = false;
        var answers = Enumerable
            .Range(0, 4)
            .Select(i => links.Transmit(Link.XPlus, _server.Packet(1_400, i), 7))
            .ToList();
        Assert.Equal([7, 7, 7, LinkDriver.Full], answers);

        links.Flush(8);
        links.Flush(9);
        Assert.Empty(_server.Freed);
        _ports.Takes = true;
        links.Flush(10);
        Assert.Equal([(Link.XPlus, 10L)], _server.Freed);
        Assert.Equal([0, 1, 2, 3], _ports.Out.SelectMany(sent => Bodies(sent.Frame)));
        Assert.Equal(11, links.Transmit(Link.XPlus, _server.Packet(1_400, 4), 11));
    }

    [Fact]
    public void Control_frames_get_their_turn_on_a_link_that_packets_keep_full()
    {
        CableLinks links = Open();
        _ports.Takes = false;
        for (int i = 0; i < 4; i++)
        {
            links.Transmit(Link.XPlus, _server.Packet(1_400, i), 0);
        }

        links.Flush(0);
        List<bool> answers = [];
        _cabling.Deadline = 1;
        _cabling.OnRun = sender => answers.Add(sender.TrySend(0, [0, 9]));
        links.Receive(_server, 32, 1);
        Assert.Equal([false], answers);

        // The server fills the link again as soon as it hears that it is free, and the cabling does not ask again by
        // itself.
        _server.WhenFree = () => links.Transmit(Link.XPlus, _server.Packet(1_400, 4), 2);
        _ports.Takes = true;
        links.Flush(2);
        Assert.Equal([false, true], answers);
        Assert.Equal([0, 1, 2, 3], _ports.Out.Take(4).SelectMany(sent => Bodies(sent.Frame)));
        Assert.Equal([0, 9], _ports.Out[4].Frame);
        links.Flush(3);
        Assert.Equal([4], Bodies(_ports.Out[5].Frame));
        links.Flush(4);
        Assert.Equal(2, answers.Count);
    }

    [Fact]
    public void Nothing_passes_a_cable_that_is_not_admitted_and_the_server_hears_when_that_changes()
    {
        _cabling.Admitted = LinkSet.None;
        CableLinks links = Open();
        Packet lost = _server.Packet(10, 0);
        long takes = 8L * lost.WireLength;

        // It takes its time as on a cable of 1 Gbit/s.
        Assert.Equal(5 + takes, links.Transmit(Link.XPlus, lost, 5));
        _ports.In.Enqueue((0, [1, 2, 3]));
        links.Flush(0);
        links.Receive(_server, 32, 0);
        Assert.Empty(_ports.Out);
        Assert.Empty(_server.Arrived);
        Assert.Equal([(Link.XPlus, DropReason.LinkDown), (Link.XPlus, DropReason.Miscabled)], _server.Dropped);
        Assert.Equal(0, _server.Living);

        _cabling.AdmitsThen = Link.XPlus;
        _ports.In.Enqueue((0, [0, 42]));
        _ports.In.Enqueue((0, [1, 2, 3]));
        links.Receive(_server, 32, 1);
        Assert.Equal([(Link.XPlus, true)], _server.Changed);
        Assert.Equal([(Link.XPlus, 3)], _server.Arrived);
        Assert.Equal([0, 42], Assert.Single(_cabling.Heard).Frame);

        _cabling.AdmitsThen = LinkSet.None;
        _ports.In.Enqueue((0, [0]));
        links.Receive(_server, 32, 2);
        Assert.Equal((Link.XPlus, false), _server.Changed[^1]);
    }

    [Fact]
    public void Control_frames_go_between_packets_and_take_no_promised_room()
    {
        _cabling.Deadline = 3;
        List<bool> answers = [];
        _cabling.OnRun = sender => answers.AddRange(Enumerable.Range(0, 3).Select(_ => sender.TrySend(0, [0, 9])));
        CableLinks links = Open();
        links.Transmit(Link.XPlus, _server.Packet(10, 0), 3);
        links.Receive(_server, 32, 3);
        Assert.Equal([true, true, false], answers);
        _cabling.OnRun = static _ => { };
        Assert.Equal(LinkDriver.Full, links.Transmit(Link.XPlus, _server.Packet(10, 1), 3));
        links.Flush(3);
        Assert.Equal([38, 2, 2, 38], _ports.Out.Select(sent => sent.Frame.Length));
    }

    [Fact]
    public void A_port_that_is_only_listened_on_carries_control_frames_and_nothing_else()
    {
        CableLinks links = Open();
        _ports.In.Enqueue((6, [0, 1]));
        _ports.In.Enqueue((6, [1, 0, 0, 0]));
        _ports.In.Enqueue((6, []));
        links.Receive(_server, 32, 0);
        Assert.Equal(6, Assert.Single(_cabling.Heard).Port);
        Assert.Empty(_server.Arrived);
    }

    [Fact]
    public void The_place_is_asked_of_the_cabling_while_its_frames_pass()
    {
        _cabling.Deadline = 0;
        _cabling.OnRun = sender => sender.TrySend(1, [0]);
        var links = new CableLinks(_ports, _cabling);
        Assert.False(links.TryPlace(0, out _, out long deadline));
        Assert.Equal(long.MaxValue, deadline);
        Assert.Equal(1, Assert.Single(_ports.Out).Port);
        _cabling.Place = new Coordinate(1, 2, 3);
        Assert.True(links.TryPlace(1, out Coordinate place, out _));
        Assert.Equal(new Coordinate(1, 2, 3), place);
    }

    private static IEnumerable<int> Bodies(byte[] frame)
    {
        Assert.Equal(DropReason.None, WireFormat.CheckFrame(frame, out int length));
        for (int at = WireFormat.FrameHeader; at < length; )
        {
            int n = WireFormat.PacketLengthAt(frame.AsSpan(at));
            Assert.NotEqual(0, n);
            yield return frame[at + WireFormat.PacketHeader];
            at += n;
        }
    }

    private CableLinks Open(bool aggregates = true)
    {
        var links = new CableLinks(_ports, _cabling, aggregates);
        links.Attach(_server);
        links.Receive(_server, 32, 0);
        return links;
    }

    private sealed class Server : ILinkEvents
    {
        private static readonly uint Owner = OwnerWords.Make(PacketState.Held, 1, 0);
        private readonly PacketPool _pool = new();

        public int Living { get; private set; }

        public List<(Link, int)> Arrived { get; } = [];

        public List<(Link, long)> Freed { get; } = [];

        public List<(Link, bool)> Changed { get; } = [];

        public List<(Link, DropReason)> Dropped { get; } = [];

        public Packet Packet(int body, int first)
        {
            Packet packet = _pool.Rent(Owner);
            packet.ClearHeader();
            packet.HeaderLength = 0;
            packet.Buffer = _pool.RentBody(body);
            (packet.BodyOffset, packet.BodyBytes) = (0, body);
            packet.WritableBody()[0] = (byte)first;
            Living++;
            return packet;
        }

        public int Encode(Packet packet, Span<byte> frame)
        {
            int length = WireFormat.Encode(packet, frame);
            Lose(packet);
            return length;
        }

        public int TryAppend(Packet packet, Span<byte> frame, int length)
        {
            int longer = WireFormat.TryAppend(packet, frame, length);
            if (longer > 0)
            {
                Lose(packet);
            }

            return longer;
        }

        public void Lose(Packet packet)
        {
            _pool.Free(packet, Owner);
            Living--;
        }

        public Coordinate AddresseeOf(Link link, Packet packet) => throw new NotSupportedException();

        public void FrameArrived(Link link, ReadOnlySpan<byte> frame, long now) => Arrived.Add((link, frame.Length));

        public void FrameDropped(Link link, DropReason reason) => Dropped.Add((link, reason));

        public Action WhenFree { get; set; } = static () => { };

        public void LinkFree(Link link, long now)
        {
            Freed.Add((link, now));
            WhenFree();
        }

        public void LinkChanged(Link link, bool up, long now) => Changed.Add((link, up));

        public int EncodeCopy(Packet packet, Span<byte> frame) => throw new NotSupportedException();

        public Packet Copy(Packet packet) => throw new NotSupportedException();

        public void Lend(Packet packet) { }

        public void TakeBack(Packet packet) { }

        public bool Corrupt(Packet packet, ulong random) => throw new NotSupportedException();
    }
}
