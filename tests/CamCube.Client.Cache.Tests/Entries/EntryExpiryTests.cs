using System.Buffers;
using CamCube.Client.Cache.Entries;
using CamCube.Client.Cache.Tests.Kit;

namespace CamCube.Client.Cache.Tests.Entries;

public sealed class EntryExpiryTests
{
    private static readonly DateTimeOffset Now = new(2026, 3, 1, 12, 0, 0, TimeSpan.Zero);

    public static TheoryData<double?, double?> Kinds =>
        new()
        {
            { null, null },
            { 5.5, null },
            { null, 0.25 },
            { 100, 7 },
            { null, 1e9 },
            { null, 1e11 },
        };

    [Theory]
    [MemberData(nameof(Kinds))]
    public void The_header_gives_back_what_was_written_in_one_piece_or_many(double? endsIn, double? window)
    {
        EntryExpiry expiry = Make(endsIn, window);
        byte[] data = new byte[EntryExpiry.MaxHeaderLength + 3];
        int length = expiry.WriteHeader(data);
        Assert.Equal(1 + (endsIn is null ? 0 : 8) + (window is null ? 0 : 8), length);
        foreach (int piece in new[] { 1, 3, 100 })
        {
            ReadOnlySequence<byte> rest = Pieces.Of(data.AsMemory(0, length + 3), piece);
            Assert.True(EntryExpiry.TryTakeHeader(ref rest, out EntryExpiry read));
            Assert.Equal((expiry, 3L), (read, rest.Length));
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_header_that_is_cut_off_is_none(double? endsIn, double? window)
    {
        byte[] data = new byte[EntryExpiry.MaxHeaderLength];
        int length = Make(endsIn, window).WriteHeader(data);
        for (int cut = 0; cut < length; cut++)
        {
            var rest = new ReadOnlySequence<byte>(data, 0, cut);
            Assert.False(EntryExpiry.TryTakeHeader(ref rest, out _));
        }
    }

    [Theory]
    [InlineData(0x00)]
    [InlineData(0x14)]
    [InlineData(0x20)]
    [InlineData(0xff)]
    public void Other_versions_are_no_headers(byte kind)
    {
        var data = new ReadOnlySequence<byte>([kind, .. new byte[20]]);
        Assert.False(EntryExpiry.TryTakeHeader(ref data, out _));
    }

    [Fact]
    public void An_end_that_is_no_time_is_no_header()
    {
        var data = new ReadOnlySequence<byte>([0x11, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
        Assert.False(EntryExpiry.TryTakeHeader(ref data, out _));
    }

    [Fact]
    public void The_flags_tell_a_window_and_whether_there_is_more()
    {
        Assert.True(EntryExpiry.TryFromFlags(Make(null, null).Flags, out EntryExpiry expiry, out bool isWhole));
        Assert.Equal((default(EntryExpiry), true), (expiry, isWhole));
        Assert.True(EntryExpiry.TryFromFlags(Make(5, null).Flags, out expiry, out isWhole));
        Assert.Equal((default(EntryExpiry), true), (expiry, isWhole));
        Assert.True(EntryExpiry.TryFromFlags(Make(null, 6.5).Flags, out expiry, out isWhole));
        Assert.Equal((Make(null, 7), true), (expiry, isWhole));
        Assert.True(EntryExpiry.TryFromFlags(Make(5, 6).Flags, out _, out isWhole));
        Assert.False(isWhole);
        foreach (uint foreign in new uint[] { 0, 1, 77, 0x4cac_4e00, 0x8000_0000, 0xc000_0000 })
        {
            Assert.False(EntryExpiry.TryFromFlags(foreign, out _, out _));
        }
    }

    [Theory]
    [InlineData(null, null, -1, 0)]
    [InlineData(100.0, null, 101, 101)]
    [InlineData(0.001, null, 2, 2)]
    [InlineData(null, 0.5, 2, 2)]
    [InlineData(100.0, 10.0, 11, 11)]
    [InlineData(10.0, 100.0, 11, 11)]
    [InlineData(2_591_999.0, null, 2_592_000, 2_592_000)]
    [InlineData(2_592_000.0, null, 2_592_001, 1_772_366_400 + 2_592_001)]
    [InlineData(1e9, null, -1, 0)]
    public void A_server_keeps_an_entry_for_what_is_left_and_a_second(
        double? endsIn,
        double? window,
        long seconds,
        int token
    )
    {
        Assert.Equal(new TimeToLive(seconds, token), Make(endsIn, window).TimeToLive(Now));
    }

    [Theory]
    [InlineData(11, 11, true)]
    [InlineData(11, 12, true)]
    [InlineData(11, 10, false)]
    [InlineData(11, -1, false)]
    [InlineData(-1, 10, false)]
    [InlineData(-1, -1, true)]
    public void An_entry_with_its_full_time_is_not_touched(long wanted, long left, bool isMet) =>
        Assert.Equal(isMet, new TimeToLive(wanted, 0).IsMetBy(left));

    private static EntryExpiry Make(double? endsIn, double? window) =>
        new(endsIn is { } end ? Now.AddSeconds(end) : null, window is { } time ? TimeSpan.FromSeconds(time) : null);
}
