using System.Buffers.Text;
using System.Text;

namespace CamCube.Services.Tunnel.Names;

/// <summary>Names of servers: <c>1-2-0.camcube.internal</c>. Immutable; any thread; nothing allocates but what says so.
/// </summary>
internal static class ServerNames
{
    /// <summary>Of the names of all servers.</summary>
    public const string Domain = "camcube.internal";

    /// <summary>Bytes of the longest first label.</summary>
    public const int MostBytes = 17;

    private const byte Hyphen = (byte)'-';

    /// <summary>The name of a server. Allocates.</summary>
    public static string Of(Coordinate server) => $"{server.X}-{server.Y}-{server.Z}.{Domain}";

    /// <summary>Writes the first label of a server's name, and returns its bytes.</summary>
    public static int Write(Coordinate server, Span<byte> to)
    {
        int length = 0;
        for (int axis = 0; axis < 3; axis++)
        {
            if (axis > 0)
            {
                to[length++] = Hyphen;
            }

            Utf8Formatter.TryFormat(server[axis], to[length..], out int more);
            length += more;
        }

        return length;
    }

    /// <summary>The server of a first label, as <see cref="Write"/> has it and in no other way.</summary>
    public static bool TryRead(ReadOnlySpan<byte> label, TorusShape shape, out Coordinate server)
    {
        server = default;
        if (label.Length > MostBytes)
        {
            return false;
        }

        Span<ushort> axes = stackalloc ushort[3];
        ReadOnlySpan<byte> rest = label;
        for (int axis = 0; axis < 3; axis++)
        {
            if (!Utf8Parser.TryParse(rest, out axes[axis], out int length))
            {
                return false;
            }

            rest = rest[length..];
            if (axis < 2 && (rest.IsEmpty || rest[0] != Hyphen))
            {
                return false;
            }

            rest = axis < 2 ? rest[1..] : rest;
        }

        server = new Coordinate(axes[0], axes[1], axes[2]);
        Span<byte> written = stackalloc byte[MostBytes];
        return rest.IsEmpty && shape.Contains(server) && label.SequenceEqual(written[..Write(server, written)]);
    }

    /// <summary>Whether a label of a name says this, in whatever case.</summary>
    public static bool IsSame(ReadOnlySpan<byte> label, ReadOnlySpan<byte> text) => Ascii.EqualsIgnoreCase(label, text);
}
