using System.Security.Cryptography;
using System.Text;

namespace CamCube.Services.KeyValue.Operations;

/// <summary>Where keys belong: SHA-1 of the key, as a cache item's, in table n of n and the key; a tag says the part
/// that routes.</summary>
internal static class KeyRoute
{
    /// <summary>The cube's key of a store's key.</summary>
    public static Key Of(int table, ReadOnlySpan<byte> key)
    {
        Key whole = Hash(table, key);
        int open = key.IndexOf((byte)'{');
        int length = open < 0 ? -1 : key[(open + 1)..].IndexOf((byte)'}');
        return length <= 0 ? whole : whole with { Route = Hash(table, key.Slice(open + 1, length)).Route };
    }

    /// <summary>A key as text, for people.</summary>
    public static string TextOf(ReadOnlySpan<byte> key) => Encoding.UTF8.GetString(key);

    private static Key Hash(int table, ReadOnlySpan<byte> key)
    {
        if (table == 0)
        {
            return Key.OfBytes(key);
        }

        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA1);
        hash.AppendData([(byte)table]);
        hash.AppendData(key);
        Span<byte> bytes = stackalloc byte[Key.Length];
        hash.GetHashAndReset(bytes);
        return Key.FromBytes(bytes);
    }
}
