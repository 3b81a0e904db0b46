using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CamCube.Abstractions.Tests.Geometry;

public sealed class KeyTests
{
    // SHA-1 of the empty text, and of "abc" (FIPS 180-1): the layout of a key is a wire contract.
    private const string Empty = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
    private const string Abc = "a9993e364706816aba3e25717850c26c9cd0d89d";

    [Fact]
    public void The_last_eight_bytes_route_and_the_first_digits_are_the_most_significant()
    {
        Assert.True(Key.TryParse(Abc, out Key key));
        Assert.Equal(0xa9993e36u, key.High);
        Assert.Equal(0x4706816aba3e2571ul, key.Middle);
        Assert.Equal(0x7850c26c9cd0d89dul, key.Route);
        Assert.Equal(0xd89d, key.SequenceBits);
        Assert.Equal(Abc, key.ToString());
        Assert.Equal(Abc, Convert.ToHexStringLower(Bytes(key)));
    }

    [Fact]
    public void A_key_of_bytes_of_any_length_is_their_SHA_1()
    {
        byte[] data = new byte[300];
        new Random(1).NextBytes(data);
        for (int length = 0; length <= data.Length; length++)
        {
            for (int start = 0; start < 3 && start + length <= data.Length; start++)
            {
                ReadOnlySpan<byte> bytes = data.AsSpan(start, length);
                Assert.Equal(
                    Convert.ToHexStringLower(System.Security.Cryptography.SHA1.HashData(bytes)),
                    Key.OfBytes(bytes).ToString()
                );
            }
        }
    }

    [Theory]
    [InlineData(Abc, 3, 3, 3, 2, 2, 1)]
    [InlineData(Abc, 8, 8, 8, 0, 4, 0)]
    [InlineData(Abc, 65_535, 1, 1, 0x7850, 0, 0)]
    [InlineData(Abc, 1, 65_535, 1, 0, 0xc26c, 0)]
    [InlineData(Abc, 1, 1, 65_535, 0, 0, 0x9cd0)]
    [InlineData(Empty, 5, 6, 7, 0, 0, 6)]
    [InlineData("000000000000000000000000ffffffffffffffff", 65_535, 1, 1, 0, 0, 0)]
    [InlineData("ffffffffffffffffffffffff0001000200030000", 4, 4, 4, 1, 2, 3)]
    public void The_home_is_sixteen_bits_per_axis_modulo_its_size(
        string hex,
        int dx,
        int dy,
        int dz,
        int x,
        int y,
        int z
    )
    {
        Assert.True(Key.TryParse(hex, out Key key));
        var shape = new TorusShape(dx, dy, dz);
        var home = new Coordinate((ushort)x, (ushort)y, (ushort)z);
        Assert.Equal(home, key.HomeIn(shape));
        Destination to = key;
        Assert.Equal(home, to.HomeIn(shape));
        Assert.True(to.IsKey);
        Assert.Equal(key.Route, to.Route);
    }

    [Fact]
    public void Names_and_bytes_are_hashed_with_sha_1()
    {
        Assert.Equal(Empty, Key.OfName("").ToString());
        Assert.Equal(Abc, Key.OfName("abc").ToString());
        Assert.Equal(Abc, Key.OfBytes("abc"u8).ToString());
        Assert.Equal(Key.OfBytes("größe"u8), Key.OfName("größe"));
        Assert.Equal("34aa973cd4c4daa4f61eeb2bdbad27316534016f", Key.OfName(new string('a', 1_000_000)).ToString());
    }

    [Fact]
    public void A_chosen_home_replaces_the_coordinate_and_nothing_else()
    {
        Assert.True(Key.TryParse(Abc, out Key key));
        Key moved = key.WithCoordinate(new Coordinate(1, 2, 3));
        Assert.Equal("a9993e364706816aba3e2571" + "000100020003" + "d89d", moved.ToString());
        Assert.Equal(new Coordinate(1, 2, 3), moved.HomeIn(new TorusShape(4, 4, 4)));
    }

    [Theory]
    [InlineData("")]
    [InlineData("a9993e364706816aba3e25717850c26c9cd0d89")]
    [InlineData("a9993e364706816aba3e25717850c26c9cd0d89d0")]
    [InlineData("g9993e364706816aba3e25717850c26c9cd0d89d")]
    [InlineData("a9993e36 706816aba3e25717850c26c9cd0d89d")]
    [InlineData("+9993e364706816aba3e25717850c26c9cd0d89d")]
    [InlineData("a9993e364706816aba3e257178-0c26c9cd0d89d")]
    public void Other_texts_are_no_keys(string text)
    {
        Assert.False(Key.TryParse(text, out Key key));
        Assert.Equal(default, key);
    }

    [Fact]
    public void Upper_case_digits_are_read_too()
    {
        Assert.True(Key.TryParse(Abc.ToUpperInvariant(), out Key key));
        Assert.Equal(Abc, key.ToString());
    }

    [Fact]
    public void A_key_has_twenty_bytes()
    {
        Assert.Equal(20, Unsafe.SizeOf<Key>());
        Assert.Throws<ArgumentException>(() => Key.FromBytes(new byte[19]));
        Assert.Throws<ArgumentException>(() => Key.FromBytes(new byte[21]));
        Key key = Key.FromBytes(Convert.FromHexString(Abc));
        Assert.Equal(Abc, key.ToString());

        // In a packet header its parts are little-endian, route first.
        Assert.Equal(
            "9dd8d09c6cc25078" + "71253eba6a810647" + "363e99a9",
            Convert.ToHexStringLower(MemoryMarshal.AsBytes(new ReadOnlySpan<Key>(in key)))
        );
    }

    private static byte[] Bytes(Key key)
    {
        var bytes = new byte[Key.Length];
        key.CopyTo(bytes);
        return bytes;
    }
}
