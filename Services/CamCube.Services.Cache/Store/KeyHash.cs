using System.Runtime.InteropServices;

namespace CamCube.Services.Cache.Store;

/// <summary>
/// A keyed 64-bit hash of clients' keys: products of 64 bits, folded. Who does not know the two secrets cannot choose
/// keys that meet in one bucket. Only this server's table depends on it.
/// </summary>
/// <param name="first">A secret.</param>
/// <param name="second">Another.</param>
internal readonly struct KeyHash(ulong first, ulong second)
{
    private const ulong Odd = 0x9E37_79B9_7F4A_7C15;

    /// <summary>A hash with secrets of its own.</summary>
    public static KeyHash Create(IServer server)
    {
        Span<byte> secrets = stackalloc byte[16];
        server.Random.FillSecret(secrets);
        return new KeyHash(Read(secrets), Read(secrets[8..]) | 1);
    }

    /// <summary>The hash of a key.</summary>
    public ulong Of(ReadOnlySpan<byte> key)
    {
        ulong hash = first ^ ((ulong)key.Length * Odd);
        while (key.Length > 16)
        {
            hash = Fold(Read(key) ^ second, Read(key[8..]) ^ hash);
            key = key[16..];
        }

        (ulong a, ulong b) = key.Length switch
        {
            >= 8 => (Read(key), Read(key[^8..])),
            >= 4 => (MemoryMarshal.Read<uint>(key), MemoryMarshal.Read<uint>(key[^4..])),
            > 0 => ((ulong)key[0] | ((ulong)key[key.Length / 2] << 8), (ulong)key[^1]),
            _ => (0UL, 0UL),
        };
        return Fold(Fold(a ^ second, b ^ hash) ^ Odd, hash ^ second);
    }

    private static ulong Read(ReadOnlySpan<byte> bytes) => MemoryMarshal.Read<ulong>(bytes);

    private static ulong Fold(ulong a, ulong b)
    {
        ulong high = Math.BigMul(a, b, out ulong low);
        return high ^ low;
    }
}
