using CamCube.Faults;

namespace CamCube.Runtime.Tests;

/// <summary>Fault rules in front of a driver of real links: what is held back, when it goes, and what links without
/// room do.</summary>
public sealed class FaultyLinksTests
{
    private static readonly TorusShape Shape = new(3, 1, 1);
    private readonly PacketPool _pool = new();
    private readonly LinkFaultRules _rules = new(Shape, 1);
    private readonly Wire _wire = new();
    private readonly Server _server;
    private readonly LinkDriver _links;
    private uint _number;

    public FaultyLinksTests()
    {
        _server = new Server(_pool);
        _links = _rules.Wrap(0, _wire);
        _links.Attach(_server);
    }

    [Fact]
    public void Without_rules_packets_pass_and_the_drivers_answer_is_the_answer()
    {
        Assert.Equal(1_514, _links.MaxFrameLength);
        Assert.False(_links.CarriesVirtualBytes);
        Assert.False(_links.ShapesPackets);
        Assert.Equal(100, Send(100));
        _wire.Answer = now => now + 50;
        Assert.Equal(150, Send(100, Link.XMinus));
        _wire.Answer = _ => LinkDriver.Full;
        Assert.Equal(LinkDriver.Full, Send(200));
        Assert.Equal([(Link.XPlus, 1u, 100), (Link.XMinus, 2u, 100), (Link.XPlus, 3u, 200)], _wire.Sent);
        Assert.Equal(7, _links.Receive(_server, 7, 300));
        _links.Wake();
        _links.Close();
        Assert.Equal((1, 1), (_wire.Wakes, _wire.Closes));
    }

    [Fact]
    public void Delayed_packets_go_at_the_first_flush_when_they_are_due_and_the_loop_wakes_for_them()
    {
        IDisposable delay = _rules.Add(new PacketDelay(TimeSpan.FromMicroseconds(1)));
        Assert.Equal(100, Send(100));
        delay.Dispose();
        Assert.Equal(200, Send(200));
        _links.Flush(1_099);
        Assert.Equal([(Link.XPlus, 2u, 200)], _wire.Sent);
        _links.Wait(1_099, 5_000);
        Assert.Equal(1_100, _wire.WaitedUntil);
        _links.Flush(1_100);
        Assert.Equal((Link.XPlus, 1u, 1_100), _wire.Sent[^1]);
        _links.Wait(1_100, 5_000);
        Assert.Equal(5_000, _wire.WaitedUntil);
        Assert.Equal(2, _wire.Flushes);
    }

    [Fact]
    public void What_is_held_back_of_a_server_that_was_stopped_is_lost_and_frames_go_to_whom_they_are_asked_for()
    {
        using IDisposable delay = _rules.Add(new PacketDelay(TimeSpan.FromMicroseconds(1)));
        Send(100);
        _links.Attach(_server);
        _links.Flush(10_000);
        Assert.Empty(_wire.Sent);
        Assert.Equal(1, _rules.Counts.Overflowed);
    }

    [Fact]
    public void A_link_without_room_keeps_what_is_due_until_it_says_that_it_is_free()
    {
        using IDisposable copies = _rules.Add(new PacketDuplication(1));
        _wire.Answer = _ => LinkDriver.Full;
        Assert.Equal(LinkDriver.Full, Send(100));
        Assert.Single(_wire.Sent);
        _links.Wait(100, 9_000);
        Assert.Equal(9_000, _wire.WaitedUntil);
        _links.Flush(150);
        Assert.Single(_wire.Sent);
        _wire.Answer = now => now;
        _wire.Events!.LinkFree(Link.XPlus, 200);
        Assert.Equal([(Link.XPlus, 200)], _server.Freed);
        _links.Flush(200);
        Assert.Equal((Link.XPlus, 1u, 200), _wire.Sent[^1]);
    }

    [Fact]
    public void A_rate_limit_spaces_packets_even_when_the_link_says_it_is_free()
    {
        using IDisposable limit = _rules.Add(new LinkRateLimit(1_000_000));
        long free = 1_000 + (Packet.FrameOverhead * 8_000L);
        Assert.Equal(free, Send(1_000));
        _wire.Events!.LinkFree(Link.XPlus, 2_000);
        Assert.Equal([(Link.XPlus, free)], _server.Freed);
        Assert.Equal(1, _rules.Counts.Slowed);
        using IDisposable loss = _rules.Add(new PacketLoss(1));
        Assert.Equal(free + (Packet.FrameOverhead * 8_000L), Send(free));
        Assert.Single(_wire.Sent);
    }

    [Fact]
    public void Too_many_held_back_are_lost_and_counted_and_so_are_those_left_at_the_end()
    {
        using IDisposable delay = _rules.Add(new PacketDelay(TimeSpan.FromSeconds(1)));
        for (int i = 0; i < 5_000; i++)
        {
            Send(i);
        }

        Assert.Equal(5_000 - 4_096, _rules.Counts.Overflowed);
        Assert.Equal(4_096, _pool.Outstanding);
        _links.Close();
        Assert.Equal(5_000, _rules.Counts.Overflowed);
        Assert.Equal(0, _pool.Outstanding);
        Assert.Equal(5_000, _rules.Counts.AllLost);
    }

    [Fact]
    public void Counts_outlive_the_links_of_one_run()
    {
        using IDisposable loss = _rules.Add(new PacketLoss(1));
        Send(1);
        LinkDriver next = _rules.Wrap(0, _wire);
        next.Attach(_server);
        next.Transmit(Link.XPlus, Rent(), 2);
        Assert.Equal(2, _rules.CountsOf(0).Lost);
        Assert.Equal(default, _rules.CountsOf(1));
        Assert.Equal(2, _rules.Counts.Lost);
    }

    [Fact]
    public void A_provider_for_another_cube_is_refused_in_one_line()
    {
        var provider = new FaultyLinkProvider(new MemoryWire(new TorusShape(2, 1, 1)), _rules);
        Assert.Equal("Memory", provider.Name);
        LinkProviderException e = Assert.Throws<LinkProviderException>(() =>
            provider.Open(MemoryWire.Request(new TorusShape(2, 1, 1), default(Coordinate)))
        );
        Assert.Equal("Fault rules for a 3x1x1 cube do not fit a 2x1x1 cube.", e.Message);
    }

    private long Send(long now, Link link = Link.XPlus) => _links.Transmit(link, Rent(), now);

    private Packet Rent()
    {
        Packet packet = _pool.Rent(OwnerWords.Make(PacketState.Wire, OwnerWords.NoSlot, 0));
        packet.IdWord = ++_number;
        packet.HeaderBytes = 0;
        return packet;
    }

    private sealed class Wire : LinkDriver
    {
        public Func<long, long> Answer { get; set; } = static now => now;

        public List<(Link Link, uint Number, long Now)> Sent { get; } = [];

        public ILinkEvents? Events { get; private set; }

        public long WaitedUntil { get; private set; }

        public int Flushes { get; private set; }

        public int Wakes { get; private set; }

        public int Closes { get; private set; }

        public override int MaxFrameLength => 1_514;

        public override void Attach(ILinkEvents server) => Events = server;

        public override long Transmit(Link link, Packet packet, long now)
        {
            Sent.Add((link, packet.IdWord, now));
            Events!.Encode(packet, new byte[1_500]);
            return Answer(now);
        }

        public override void Flush(long now) => Flushes++;

        public override int Receive(ILinkEvents sink, int budget, long now) => budget;

        public override void Wait(long nowNanos, long deadlineNanos) => WaitedUntil = deadlineNanos;

        public override void Wake() => Wakes++;

        public override void Close() => Closes++;
    }

    private sealed class Server(PacketPool pool) : ILinkEvents
    {
        private static readonly uint OnLink = OwnerWords.Make(PacketState.Wire, OwnerWords.NoSlot, 0);

        public List<(Link Link, long Now)> Freed { get; } = [];

        public Coordinate AddresseeOf(Link link, Packet packet) => throw new NotSupportedException();

        public void FrameArrived(Link link, ReadOnlySpan<byte> frame, long now) { }

        public int Encode(Packet packet, Span<byte> frame)
        {
            Lose(packet);
            return 0;
        }

        public int EncodeCopy(Packet packet, Span<byte> frame) => 0;

        public int TryAppend(Packet packet, Span<byte> frame, int length) => 0;

        public void FrameDropped(Link link, DropReason reason) { }

        public void LinkFree(Link link, long now) => Freed.Add((link, now));

        public void LinkChanged(Link link, bool up, long now) { }

        public void Lose(Packet packet) => pool.Free(packet, packet.OwnerWord);

        public Packet Copy(Packet packet)
        {
            Packet copy = pool.Rent(packet.OwnerWord);
            copy.CopyFrom(packet);
            copy.IdWord = packet.IdWord;
            return copy;
        }

        public void Lend(Packet packet) =>
            packet.Move(OnLink, OwnerWords.Make(PacketState.Runtime, OwnerWords.NoSlot, 0));

        public void TakeBack(Packet packet) =>
            packet.Move(OwnerWords.Make(PacketState.Runtime, OwnerWords.NoSlot, 0), OnLink);

        public bool Corrupt(Packet packet, ulong random) => true;
    }
}
