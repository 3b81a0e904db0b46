using System.Buffers;
using System.Buffers.Text;
using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;
using System.Text.Unicode;

namespace CamCube.Client.Cache.Entries;

/// <summary>
/// Turns a key of any length and any characters into one that memcached takes: the prefix and the key in UTF-8 where
/// that has at most 250 bytes without spaces and control characters, else the prefix, <c>sha256-</c> and the SHA-256 of
/// the key's UTF-16 in base64url. Two keys never share a form: a key that itself begins with <c>sha256-</c> is hashed
/// as well, and so is one with half a surrogate pair, which has no UTF-8 of its own.
/// </summary>
internal static class CacheKey
{
    /// <summary>The longest key in bytes, memcached's limit.</summary>
    public const int MaxLength = 250;

    /// <summary>The longest prefix in bytes: it and a hashed key fit together.</summary>
    public const int MaxPrefixLength = 200;

    private static ReadOnlySpan<byte> HashMark => "sha256-"u8;

    /// <summary>Whether this can be put before keys.</summary>
    public static bool IsPrefix(string? prefix)
    {
        Span<byte> bytes = stackalloc byte[MaxPrefixLength];
        return prefix is not null && TryEncode(prefix, bytes, out int length) && IsPlain(bytes[..length]);
    }

    /// <summary>Writes the form of a key.</summary>
    /// <param name="prefix">A prefix in UTF-8 for which <see cref="IsPrefix"/> holds.</param>
    /// <param name="key">The application's key.</param>
    /// <param name="into">At least <see cref="MaxLength"/> bytes.</param>
    /// <returns>The number of bytes written.</returns>
    public static int Write(ReadOnlySpan<byte> prefix, string key, Span<byte> into)
    {
        prefix.CopyTo(into);
        Span<byte> rest = into[prefix.Length..MaxLength];
        if (
            TryEncode(key, rest, out int length)
            && prefix.Length + length > 0
            && IsPlain(rest[..length])
            && !rest[..length].StartsWith(HashMark)
        )
        {
            return prefix.Length + length;
        }

        HashMark.CopyTo(rest);
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        Hash(key, hash);
        OperationStatus status = Base64Url.EncodeToUtf8(hash, rest[HashMark.Length..], out _, out int written);
        Debug.Assert(status == OperationStatus.Done, "A hash and a prefix fit into a key.");
        return prefix.Length + HashMark.Length + written;
    }

    private static bool TryEncode(string text, Span<byte> into, out int length) =>
        Utf8.FromUtf16(text, into, out _, out length, replaceInvalidSequences: false) == OperationStatus.Done;

    private static bool IsPlain(ReadOnlySpan<byte> bytes) =>
        !bytes.ContainsAnyInRange((byte)0, (byte)' ') && !bytes.Contains((byte)0x7f);

    private static void Hash(string key, Span<byte> hash)
    {
        // Little-endian on every machine, so that all of them find each other's entries.
        if (BitConverter.IsLittleEndian)
        {
            SHA256.HashData(MemoryMarshal.AsBytes(key.AsSpan()), hash);
        }
        else
        {
            SHA256.HashData(Encoding.Unicode.GetBytes(key), hash);
        }
    }
}
