using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace CamCube.Services.Images;

/// <summary>
/// Addresses of images that are good until a time: HMAC-SHA256 with a key that front end and signer share, over method,
/// path and end. Any thread.
/// </summary>
public static class ImageSignature
{
    /// <summary>Fewest bytes of a key.</summary>
    public const int LeastKey = 32;

    /// <summary>The signature, in base64 for addresses, without padding.</summary>
    /// <param name="key">The key.</param>
    /// <param name="method">GET, which is good for HEAD, too, PUT, POST or DELETE.</param>
    /// <param name="path">What is meant, not encoded: <c>images/cat.jpg/thumb</c>.</param>
    /// <param name="end">When it ends, in seconds since 1970.</param>
    public static string Of(ReadOnlySpan<byte> key, string method, string path, long end)
    {
        string text = string.Create(CultureInfo.InvariantCulture, $"{method}\n{path}\n{end}");
        byte[] mac = HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(text));
        return Convert.ToBase64String(mac).TrimEnd('=').Replace('+', '-').Replace('/', '_');
    }

    /// <summary>Whether it is the signature; takes the same time whatever is wrong.</summary>
    public static bool IsOf(ReadOnlySpan<byte> key, string method, string path, long end, string signature)
    {
        ArgumentNullException.ThrowIfNull(signature);
        return CryptographicOperations.FixedTimeEquals(
            Encoding.UTF8.GetBytes(Of(key, method, path, end)),
            Encoding.UTF8.GetBytes(signature)
        );
    }

    /// <summary>A key as its file has it: text whose bytes are the key, without the white space around it.</summary>
    /// <returns>Null: it is too short.</returns>
    public static byte[]? ReadKey(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        byte[] key = Encoding.UTF8.GetBytes(text.Trim());
        return key.Length >= LeastKey ? key : null;
    }
}
