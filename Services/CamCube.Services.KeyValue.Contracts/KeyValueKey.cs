using System.Security.Cryptography;
using System.Text;

namespace CamCube.Services.KeyValue;

/// <summary>A key in a table. A part of it between the first <c>{</c> and the next <c>}</c>, if there is one and it is
/// not empty, is its tag: keys with the same tag are kept by the same servers, as in Redis Cluster.</summary>
/// <param name="Bytes">1 to 65,535 bytes of any kind, lent until the operation ends.</param>
/// <param name="Table">The table, 0 to 15.</param>
public readonly record struct KeyValueKey(ReadOnlyMemory<byte> Bytes, int Table = 0)
{
    /// <summary>Most bytes of a key.</summary>
    public const int MostBytes = ushort.MaxValue;

    private const int MostOnStack = 256;

    /// <summary>A key from text, in UTF-8.</summary>
    public static KeyValueKey Of(string text, int table = 0) => new(Encoding.UTF8.GetBytes(text), table);

    /// <summary>The cube's key of it, at whose root the servers that keep it begin: SHA-1 of its bytes, as a cache
    /// item's; in table n of n and its bytes. A tag says the part that routes. Who works for a key where it lies goes
    /// there.</summary>
    public Key ToKey() => ToKey(Table, Bytes.Span);

    /// <summary>The cube's key of a key in a table: see <see cref="ToKey()"/>.</summary>
    /// <param name="table">The table.</param>
    /// <param name="key">The key's bytes.</param>
    public static Key ToKey(int table, ReadOnlySpan<byte> key)
    {
        Key whole = Hash(table, key);
        ReadOnlySpan<byte> tag = TagOf(key);
        return tag.IsEmpty ? whole : whole with { Route = Hash(table, tag).Route };
    }

    /// <summary>Whether a key, and so every key that begins with it, has a tag.</summary>
    /// <param name="key">The key's bytes.</param>
    public static bool HasTag(ReadOnlySpan<byte> key) => !TagOf(key).IsEmpty;

    private static ReadOnlySpan<byte> TagOf(ReadOnlySpan<byte> key)
    {
        int open = key.IndexOf((byte)'{');
        int length = open < 0 ? -1 : key[(open + 1)..].IndexOf((byte)'}');
        return length <= 0 ? [] : key.Slice(open + 1, length);
    }

    private static Key Hash(int table, ReadOnlySpan<byte> key)
    {
        if (table == 0)
        {
            return Key.OfBytes(key);
        }

        if (key.Length < MostOnStack)
        {
            Span<byte> both = stackalloc byte[MostOnStack];
            both[0] = (byte)table;
            key.CopyTo(both[1..]);
            return Key.OfBytes(both[..(key.Length + 1)]);
        }

        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA1);
        hash.AppendData([(byte)table]);
        hash.AppendData(key);
        Span<byte> bytes = stackalloc byte[Key.Length];
        hash.GetHashAndReset(bytes);
        return Key.FromBytes(bytes);
    }
}
