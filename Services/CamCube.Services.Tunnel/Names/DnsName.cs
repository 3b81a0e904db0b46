namespace CamCube.Services.Tunnel.Names;

/// <summary>A name in a question (RFC 1035), read in place: labels with their lengths, not compressed, as nothing
/// stands before it that it could point to.</summary>
internal readonly ref struct DnsName
{
    /// <summary>Bytes of the longest name.</summary>
    public const int MostBytes = 255;

    private const int MostLabel = 63;

    private DnsName(ReadOnlySpan<byte> bytes, int labels)
    {
        Bytes = bytes;
        Labels = labels;
    }

    /// <summary>As it stands there, its end among them.</summary>
    public ReadOnlySpan<byte> Bytes { get; }

    /// <summary>How many labels, the root not counted.</summary>
    public int Labels { get; }

    /// <summary>A label.</summary>
    public ReadOnlySpan<byte> this[int index]
    {
        get
        {
            int at = 0;
            for (; index > 0; index--)
            {
                at += Bytes[at] + 1;
            }

            return Bytes.Slice(at + 1, Bytes[at]);
        }
    }

    /// <summary>Reads one. False: it is cut off, too long, or none.</summary>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out DnsName name)
    {
        name = default;
        int at = 0,
            labels = 0;
        while (at < bytes.Length && at < MostBytes)
        {
            int length = bytes[at];
            if (length == 0)
            {
                name = new DnsName(bytes[..(at + 1)], labels);
                return true;
            }

            if (length > MostLabel)
            {
                return false;
            }

            at += length + 1;
            labels++;
        }

        return false;
    }

    /// <summary>Whether its last labels are these two, in whatever case.</summary>
    public bool EndsWith(ReadOnlySpan<byte> before, ReadOnlySpan<byte> last) =>
        Labels >= 2 && ServerNames.IsSame(this[Labels - 2], before) && ServerNames.IsSame(this[Labels - 1], last);
}
