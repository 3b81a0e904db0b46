using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace CamCube;

/// <summary>
/// SHA-1 (FIPS 180-4) of data that fits into one block. The system's library takes longer to begin than to hash a key
/// of a few bytes, and a request of a cache hashes one. Allocates nothing.
/// </summary>
internal static class ShortHash
{
    /// <summary>Most bytes: a block of 64 less the end mark and the length.</summary>
    public const int MostBytes = 55;

    private const int Block = 64;

    /// <summary>Writes the 20 bytes of the hash.</summary>
    /// <param name="data">At most <see cref="MostBytes"/>.</param>
    /// <param name="hash">At least 20 bytes.</param>
    [SkipLocalsInit]
    public static void Sha1(ReadOnlySpan<byte> data, Span<byte> hash)
    {
        Span<byte> block = stackalloc byte[Block];
        data.CopyTo(block);
        block[data.Length..].Clear();
        block[data.Length] = 0x80;
        BinaryPrimitives.WriteInt64BigEndian(block[(Block - sizeof(long))..], data.Length * 8L);
        Span<uint> words = stackalloc uint[80];
        for (int i = 0; i < 16; i++)
        {
            words[i] = BinaryPrimitives.ReadUInt32BigEndian(block[(i * sizeof(uint))..]);
        }

        for (int i = 16; i < words.Length; i++)
        {
            words[i] = BitOperations.RotateLeft(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
        }

        const uint A = 0x67452301,
            B = 0xEFCDAB89,
            C = 0x98BADCFE,
            D = 0x10325476,
            E = 0xC3D2E1F0;
        (uint a, uint b, uint c, uint d, uint e) = (A, B, C, D, E);
        for (int i = 0; i < 20; i++)
        {
            (a, b, c, d, e) = (
                BitOperations.RotateLeft(a, 5) + ((b & c) | (~b & d)) + e + words[i] + 0x5A827999,
                a,
                BitOperations.RotateLeft(b, 30),
                c,
                d
            );
        }

        for (int i = 20; i < 40; i++)
        {
            (a, b, c, d, e) = (
                BitOperations.RotateLeft(a, 5) + (b ^ c ^ d) + e + words[i] + 0x6ED9EBA1,
                a,
                BitOperations.RotateLeft(b, 30),
                c,
                d
            );
        }

        for (int i = 40; i < 60; i++)
        {
            (a, b, c, d, e) = (
                BitOperations.RotateLeft(a, 5) + ((b & c) | (b & d) | (c & d)) + e + words[i] + 0x8F1BBCDC,
                a,
                BitOperations.RotateLeft(b, 30),
                c,
                d
            );
        }

        for (int i = 60; i < 80; i++)
        {
            (a, b, c, d, e) = (
                BitOperations.RotateLeft(a, 5) + (b ^ c ^ d) + e + words[i] + 0xCA62C1D6,
                a,
                BitOperations.RotateLeft(b, 30),
                c,
                d
            );
        }

        BinaryPrimitives.WriteUInt32BigEndian(hash, A + a);
        BinaryPrimitives.WriteUInt32BigEndian(hash[4..], B + b);
        BinaryPrimitives.WriteUInt32BigEndian(hash[8..], C + c);
        BinaryPrimitives.WriteUInt32BigEndian(hash[12..], D + d);
        BinaryPrimitives.WriteUInt32BigEndian(hash[16..], E + e);
    }
}
