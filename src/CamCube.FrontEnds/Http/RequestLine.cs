using System.Text;
using System.Text.Unicode;

namespace CamCube.FrontEnds.Http;

/// <summary>Parts of a request line as it was sent. What ASP.NET makes of a path is text, in which other bytes than
/// UTF-8 and an encoded slash are lost. Pure.</summary>
public static class RequestLine
{
    /// <summary>Path and query of a target; one to a proxy has scheme and host in front.</summary>
    /// <param name="target">The target as it was sent.</param>
    public static string PathAndQuery(string target)
    {
        ArgumentNullException.ThrowIfNull(target);
        int host = target.StartsWith('/') ? -1 : target.IndexOf("://", StringComparison.Ordinal);
        int path = host < 0 ? -1 : target.IndexOf('/', host + 3);
        return path < 0 ? target : target[path..];
    }

    /// <summary>A name in a path, without its percent signs.</summary>
    /// <param name="segment">The name as it was sent.</param>
    /// <returns>Null: it is not UTF-8, or a percent sign has no two hexadecimal digits behind it.</returns>
    public static string? Decode(string segment)
    {
        ArgumentNullException.ThrowIfNull(segment);
        byte[] bytes = new byte[Encoding.UTF8.GetMaxByteCount(segment.Length)];
        int length = 0;
        for (int i = 0; i < segment.Length; i++)
        {
            if (segment[i] != '%')
            {
                length += Encoding.UTF8.GetBytes(segment.AsSpan(i, 1), bytes.AsSpan(length));
            }
            else if (
                i + 2 < segment.Length
                && char.IsAsciiHexDigit(segment[i + 1])
                && char.IsAsciiHexDigit(segment[i + 2])
            )
            {
                bytes[length++] = Convert.FromHexString(segment.AsSpan(i + 1, 2))[0];
                i += 2;
            }
            else
            {
                return null;
            }
        }

        ReadOnlySpan<byte> whole = bytes.AsSpan(0, length);
        return Utf8.IsValid(whole) ? Encoding.UTF8.GetString(whole) : null;
    }
}
