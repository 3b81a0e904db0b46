using System.Buffers.Binary;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;

namespace CamCube;

/// <summary>
/// A 160-bit key: a big-endian number, written as 40 hex digits. Only its last 64 bits, the <see cref="Route"/>, route
/// (HPDC §3.2): x = bits 63–48, y = 47–32, z = 31–16, each modulo its axis size, name the home server; bits 15–0 choose
/// one of 48 replica sequences. The layout is part of the wire contract. Blittable, 20 bytes: may stand in packet
/// headers (there its parts are little-endian).
/// </summary>
/// <param name="Route">The last 64 bits: home coordinate and choice of replica sequence.</param>
/// <param name="Middle">The 64 bits before the route.</param>
/// <param name="High">The first 32 bits.</param>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public readonly record struct Key(ulong Route, ulong Middle, uint High)
{
    /// <summary>Bytes of a key.</summary>
    public const int Length = 20;

    /// <summary>The bits that choose the replica sequence (w of HPDC §3.2).</summary>
    public int SequenceBits => (int)(Route & 0xFFFF);

    /// <summary>A key from its 20 bytes, most significant first.</summary>
    /// <exception cref="ArgumentException">Not exactly 20 bytes.</exception>
    public static Key FromBytes(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length != Length)
        {
            throw new ArgumentException($"A key has {Length} bytes, not {bytes.Length}.", nameof(bytes));
        }

        return new Key(
            BinaryPrimitives.ReadUInt64BigEndian(bytes[12..]),
            BinaryPrimitives.ReadUInt64BigEndian(bytes[4..]),
            BinaryPrimitives.ReadUInt32BigEndian(bytes)
        );
    }

    /// <summary>SHA-1 of the bytes (HPDC §5.1: the memId of a cache key). Allocates nothing.</summary>
    public static Key OfBytes(ReadOnlySpan<byte> data)
    {
        Span<byte> hash = stackalloc byte[Length];
        // SHA-1 spreads keys evenly, as the papers ask; nothing here relies on it being hard to invert.
        if (data.Length <= ShortHash.MostBytes)
        {
            ShortHash.Sha1(data, hash);
        }
        else
        {
            SHA1.HashData(data, hash);
        }

        return FromBytes(hash);
    }

    /// <summary>SHA-1 of the text in UTF-8.</summary>
    public static Key OfName(ReadOnlySpan<char> name)
    {
        int most = Encoding.UTF8.GetMaxByteCount(name.Length);
        Span<byte> utf8 = most <= 512 ? stackalloc byte[512] : new byte[most];
        int n = Encoding.UTF8.GetBytes(name, utf8);
        return OfBytes(utf8[..n]);
    }

    /// <summary>Reads 40 hex digits.</summary>
    public static bool TryParse(ReadOnlySpan<char> hex, out Key key)
    {
        key = default;
        if (hex.Length != 2 * Length)
        {
            return false;
        }

        const NumberStyles Style = NumberStyles.AllowHexSpecifier;
        CultureInfo culture = CultureInfo.InvariantCulture;
        if (
            !uint.TryParse(hex[..8], Style, culture, out uint high)
            || !ulong.TryParse(hex[8..24], Style, culture, out ulong middle)
            || !ulong.TryParse(hex[24..], Style, culture, out ulong route)
        )
        {
            return false;
        }

        key = new Key(route, middle, high);
        return true;
    }

    /// <summary>The server this key's bits name, alive or not.</summary>
    public Coordinate HomeIn(TorusShape shape) => HomeOf(Route, shape);

    /// <summary>The same key with a chosen home; nobody has to know the layout for it.</summary>
    public Key WithCoordinate(Coordinate home) => this with { Route = home.Packed | (Route & 0xFFFF) };

    /// <summary>Writes the 20 bytes, most significant first.</summary>
    public void CopyTo(Span<byte> bytes)
    {
        BinaryPrimitives.WriteUInt32BigEndian(bytes, High);
        BinaryPrimitives.WriteUInt64BigEndian(bytes[4..], Middle);
        BinaryPrimitives.WriteUInt64BigEndian(bytes[12..], Route);
    }

    /// <summary>40 lower-case hex digits.</summary>
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{High:x8}{Middle:x16}{Route:x16}");

    /// <summary>The home server of the keys with this route.</summary>
    /// <param name="route"><see cref="Route"/> of a key.</param>
    /// <param name="shape">The cube.</param>
    public static Coordinate HomeOf(ulong route, TorusShape shape) =>
        new(
            Reduced((uint)(route >> 48), shape.X),
            Reduced((uint)(route >> 32 & 0xFFFF), shape.Y),
            Reduced((uint)(route >> 16 & 0xFFFF), shape.Z)
        );

    // Keys that were made from a coordinate need no division.
    private static ushort Reduced(uint part, int size) => (ushort)(part < (uint)size ? part : part % (uint)size);
}
