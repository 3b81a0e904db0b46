using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Runtime.CompilerServices;

namespace CamCube.Linux;

/// <summary>The other side of an accepted stream as the system tells it: sockaddr_in, sockaddr_in6, or anything else,
/// of which nothing is known.</summary>
public struct PeerAddress
{
    /// <summary>Bytes of the longest that is understood: sockaddr_in6.</summary>
    public const int MostBytes = 28;

    private const int InternetV4 = 2;
    private const int InternetV6 = 10;
    private Content _bytes;

    /// <summary>Where the system writes it.</summary>
    [UnscopedRef]
    public Span<byte> Bytes => _bytes;

    /// <summary>Address and port; null: it has none, as a Unix socket.</summary>
    public readonly IPEndPoint? ToEndPoint()
    {
        ReadOnlySpan<byte> bytes = _bytes;
        int port = BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]);
        return BitConverter.ToUInt16(bytes) switch
        {
            InternetV4 => new IPEndPoint(new IPAddress(bytes.Slice(4, 4)), port),
            InternetV6 => new IPEndPoint(new IPAddress(bytes.Slice(8, 16)), port),
            _ => null,
        };
    }

    [InlineArray(MostBytes)]
    private struct Content
    {
        private byte _first;
    }
}
