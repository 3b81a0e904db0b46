using System.Net;
using System.Net.NetworkInformation;
using CamCube.Shim.Ethernet.Foreign;
using CamCube.Shim.Ethernet.Frames;
using CamCube.Shim.Tests.Kit;

namespace CamCube.Shim.Tests.Ethernet;

/// <summary>When a port is listened on, and what is remembered of it, look by look.</summary>
public sealed class ForeignEarTests
{
    private static readonly PhysicalAddress Stranger = PhysicalAddress.Parse("02-00-00-00-00-77"),
        Other = PhysicalAddress.Parse("02-00-00-00-00-78"),
        Everybody = PhysicalAddress.Parse("FF-FF-FF-FF-FF-FF");
    private readonly CableSigns _signs = new() { Index = 3 };
    private readonly FakeTap _tap = new();
    private readonly ForeignEar _ear;
    private bool _isRefused;
    private int _opened;
    private long _now = 1_000;

    public ForeignEarTests() =>
        _ear = new ForeignEar(
            _signs,
            () =>
            {
                _opened++;
                return _isRefused ? null : _tap;
            }
        );

    [Fact]
    public void The_frame_that_says_most_gives_the_name_and_all_are_counted()
    {
        Look();
        _tap.Frames.Enqueue(StrangeFrames.Arp(Stranger, Everybody));
        Assert.True(Look());
        Assert.Equal(("ARP from 192.0.2.7", 1L), (_ear.Known!.Text, _ear.Known.Frames));
        _tap.Frames.Enqueue(StrangeFrames.Neighbour(Stranger, Everybody));
        Assert.False(Look());
        _tap.Frames.Enqueue(StrangeFrames.Switch(Other, Everybody));
        Assert.True(Look());
        Assert.Equal(("LLDP from rack7 port 12", 3L), (_ear.Known.Text, _ear.Known.Frames));
        Assert.Equal(("02:00:00:00:00:78", _now), (_ear.Known.Sender, _ear.Known.LastSeenMillis));
    }

    [Fact]
    public void Counts_are_told_now_and_then_only()
    {
        Look();
        int told = 0;
        for (int i = 0; i < 50; i++)
        {
            _tap.Frames.Enqueue(StrangeFrames.Arp(Stranger, Everybody));
            told += Look() ? 1 : 0;
        }

        Assert.Equal(10, told);
        Assert.InRange(_ear.Known!.Frames, 46, 50);
        Assert.False(Look() && Look() && Look());
    }

    [Fact]
    public void What_is_silent_for_long_is_forgotten_and_somebody_else_is_named()
    {
        Look();
        _tap.Frames.Enqueue(StrangeFrames.Switch(Stranger, Everybody));
        Look();
        for (int i = 1; i < ForeignEar.Memory; i++)
        {
            Assert.False(Look());
            Assert.NotNull(_ear.Known);
        }

        Assert.True(Look());
        Assert.Null(_ear.Known);
        Assert.False(Look());
        _tap.Frames.Enqueue(StrangeFrames.Arp(Other, Everybody));
        Assert.True(Look());
        Assert.Equal(("ARP from 192.0.2.7", 1L), (_ear.Known!.Text, _ear.Known.Frames));
    }

    [Fact]
    public void What_found_no_room_is_shared_out_among_neighbour_and_strangers()
    {
        _signs.Neighbour = Address(Other);
        Look();
        for (int i = 0; i < 10; i++)
        {
            _tap.Frames.Enqueue(StrangeFrames.Datagram(i < 4 ? Stranger : Other, Everybody));
        }

        _tap.Drops = 1_000;
        Look();
        Assert.Equal(404, _ear.Known!.Frames);
    }

    [Theory]
    [InlineData("fe80::7", 135, false)]
    [InlineData("::", 135, false)]
    [InlineData("fe80::7", 134, true)]
    [InlineData("2001:db8::7", 135, true)]
    public void What_a_system_says_unasked_is_not_foreign_but_a_router_is(string from, byte type, bool isForeign)
    {
        Look();
        _tap.Frames.Enqueue(StrangeFrames.ControlMessage(Stranger, Everybody, IPAddress.Parse(from), type));
        Assert.Equal(isForeign, Look());
        Assert.Equal(isForeign ? $"IPv6 from {from}" : null, _ear.Known?.Text);
    }

    [Fact]
    public void A_busy_cable_is_listened_on_in_one_of_sixty_looks()
    {
        Look();
        Assert.True(_ear.IsOpen);
        int open = 0;
        for (int i = 0; i < 10 * ForeignEar.LooksPerBusyLook; i++)
        {
            for (int n = 0; n < ForeignEar.Busy; n++)
            {
                _signs.Count();
            }

            Look();
            open += _ear.IsOpen ? 1 : 0;
        }

        Assert.Equal(10, open);
        for (int n = 1; n < ForeignEar.Busy; n++)
        {
            _signs.Count();
        }

        Look();
        Assert.True(_ear.IsOpen);
        _ear.Dispose();
        Assert.False(_ear.IsOpen);
    }

    [Fact]
    public void An_ear_that_cannot_be_had_is_tried_again_on_another_interface_only()
    {
        _isRefused = true;
        Look();
        Look();
        Assert.Equal(1, _opened);
        _signs.Index = 0;
        Look();
        Assert.Equal(1, _opened);
        (_signs.Index, _isRefused) = (4, false);
        Look();
        Assert.Equal((2, true), (_opened, _ear.IsOpen));
        _tap.Frames.Enqueue(StrangeFrames.Arp(Stranger, Everybody));
        Assert.True(Look());

        // It is gone, and with it what it carried.
        _signs.Index = 0;
        Assert.True(Look());
        Assert.Equal((null, false), (_ear.Known, _ear.IsOpen));
    }

    private static MacAddress Address(PhysicalAddress address) => MacAddress.Read(address.GetAddressBytes());

    private bool Look() => _ear.Look(_now += 1_000);

    private sealed class FakeTap : ForeignTap
    {
        public Queue<byte[]> Frames { get; } = new();

        public long Drops { get; set; }

        public override bool TryTake(out ReadOnlySpan<byte> frame)
        {
            bool has = Frames.TryDequeue(out byte[]? bytes);
            frame = bytes;
            return has;
        }

        public override long TakeDrops()
        {
            long drops = Drops;
            Drops = 0;
            return drops;
        }

        public override void Dispose() { }
    }
}
