using CamCube.Shim.Udp.Sealing;

namespace CamCube.Shim.Udp.Tests.Sealing;

/// <summary>Holds the code and docs/udp.md to the same bytes.</summary>
public sealed class FrameFormatTests
{
    private static readonly byte[] InitiatorNonce = [.. Enumerable.Range(0x10, 16).Select(i => (byte)i)];
    private static readonly byte[] ResponderNonce = [.. Enumerable.Range(0x20, 16).Select(i => (byte)i)];
    private static readonly ClusterKey Key = new([.. Enumerable.Range(0, 32).Select(i => (byte)i)]);

    [Fact]
    public void A_handshake_message_is_written_as_documented()
    {
        byte[] datagram = new byte[FrameFormat.HandshakeLength];
        FrameFormat.WriteHandshake(datagram, FrameKind.Confirm, Link.YPlus, true, InitiatorNonce, ResponderNonce, Key);
        string bytes = Convert.ToHexStringLower(datagram);
        Assert.Contains(bytes, Documented(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_sealed_frame_is_written_as_documented()
    {
        using var session = new Session(Key, true, InitiatorNonce, ResponderNonce, 0);
        byte[] datagram = new byte[100];
        session.Seal(datagram, 0, FramePart.Whole);
        "hello"u8.CopyTo(datagram.AsSpan(FrameFormat.HeaderLength));
        int length = session.Seal(datagram, 5, FramePart.Whole);
        string bytes = Convert.ToHexStringLower(datagram.AsSpan(0, length));
        Assert.Contains(bytes, Documented(), StringComparison.Ordinal);
    }

    [Fact]
    public void Two_parts_are_joined_in_either_order_and_only_with_each_other()
    {
        using var session = new Session(Key, true, InitiatorNonce, ResponderNonce, 0);
        byte[][] parts =
        [
            .. Enumerable
                .Range(0, 6)
                .Select(i =>
                {
                    byte[] datagram = new byte[FrameFormat.Overhead + 10 + i];
                    datagram.AsSpan(FrameFormat.HeaderLength, 10 + i).Fill((byte)i);
                    session.Seal(datagram, 10 + i, i % 2 == 0 ? FramePart.First : FramePart.Second);

                    // The joiner sees opened datagrams.
                    datagram.AsSpan(FrameFormat.HeaderLength, 10 + i).Fill((byte)i);
                    return datagram;
                }),
        ];
        var joiner = new FrameJoiner(100);
        void Expect(int part, bool whole)
        {
            Assert.Equal(whole, joiner.TryJoin(parts[part], out ReadOnlySpan<byte> frame));
            if (whole)
            {
                int first = part & ~1;
                Assert.Equal(
                    [
                        .. Enumerable.Repeat((byte)first, 10 + first),
                        .. Enumerable.Repeat((byte)(first + 1), 11 + first),
                    ],
                    frame.ToArray()
                );
            }
        }

        foreach (
            (int part, bool whole) in new[]
            {
                (0, false),
                (1, true),
                (3, false),
                (2, true),
                (0, false),
                (3, false),
                (4, false),
                (5, true),
                (5, false),
                (1, false),
                (2, false),
                (1, false),
                (0, true),
            }
        )
        {
            Expect(part, whole);
        }

        var small = new FrameJoiner(20);
        Assert.False(small.TryJoin(parts[0], out _));
        Assert.False(small.TryJoin(parts[1], out _));
        Assert.False(new FrameJoiner(5).TryJoin(parts[0], out _));
    }

    private static string Documented()
    {
        DirectoryInfo? folder = new(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(Path.Combine(folder.FullName, "CamCube.sln")))
        {
            folder = folder.Parent;
        }

        string text = File.ReadAllText(Path.Combine(folder!.FullName, "docs", "udp.md"));
        return text.Replace(" ", "", StringComparison.Ordinal).Replace("\n", "", StringComparison.Ordinal);
    }
}
