namespace CamCube.Cabling;

/// <summary>
/// What every control frame begins with, in this version and all later ones, so that a server of another version can be
/// named.
/// </summary>
/// <param name="Kind">What follows.</param>
/// <param name="Version">Version of what follows.</param>
/// <param name="LowestWire">Lowest version of data frames (docs/wire-format.md) that the sender understands.</param>
/// <param name="HighestWire">Highest one.</param>
/// <param name="Link">The link that the sending port is meant to be, 0 to 5.</param>
/// <param name="Server">The sender.</param>
/// <param name="Nonce">Drawn by the sender at its start.</param>
/// <param name="ClusterId">Its cube.</param>
/// <param name="Port">Name of the sending port.</param>
internal readonly record struct ControlHeader(
    ControlKind Kind,
    int Version,
    int LowestWire,
    int HighestWire,
    int Link,
    ServerId Server,
    ulong Nonce,
    string ClusterId,
    string Port
)
{
    /// <summary>The version of this protocol.</summary>
    public const int OurVersion = 1;

    /// <summary>The version of data frames.</summary>
    public const int OurWire = 1;

    /// <summary>No control frame is longer: it fits every Ethernet.</summary>
    public const int LongestFrame = 1_500;

    public const int LongestCluster = 64;
    public const int LongestPort = 32;

    /// <summary>Most bytes of a header.</summary>
    public const int Longest = 24 + 1 + LongestCluster + 1 + LongestPort;

    private const int LengthOffset = 6;

    public bool IsOurVersion => Version == OurVersion && LowestWire <= OurWire && OurWire <= HighestWire;

    /// <summary>Reads the header; the reader stands behind it then. The rest of a frame is as long as the header says:
    /// what is behind is padding.
    /// </summary>
    public static bool TryRead(ReadOnlySpan<byte> frame, out ControlHeader header, out ControlReader rest)
    {
        header = default;
        rest = new ControlReader(frame);
        if (frame.Length < LengthOffset + 2 || frame[0] != 0)
        {
            return false;
        }

        int length = frame[LengthOffset] | (frame[LengthOffset + 1] << 8);
        if (length > frame.Length)
        {
            return false;
        }

        rest = new ControlReader(frame[..length]);
        rest.Byte();
        int kind = rest.Byte(),
            version = rest.Byte(),
            lowest = rest.Byte(),
            highest = rest.Byte(),
            link = rest.Byte();
        rest.UInt16();
        header = new ControlHeader(
            (ControlKind)kind,
            version,
            lowest,
            highest,
            link,
            rest.Id(),
            rest.UInt64(),
            rest.Text(LongestCluster),
            rest.Text(LongestPort)
        );
        return !rest.Failed && header.Link < Links.Cables;
    }

    /// <summary>Begins a frame.</summary>
    public static ControlWriter Begin(Span<byte> buffer, in ControlHeader header)
    {
        var writer = new ControlWriter(buffer);
        writer.Byte(0);
        writer.Byte((int)header.Kind);
        writer.Byte(header.Version);
        writer.Byte(header.LowestWire);
        writer.Byte(header.HighestWire);
        writer.Byte(header.Link);
        writer.UInt16(0);
        writer.UInt64(header.Server.Value);
        writer.UInt64(header.Nonce);
        writer.Text(header.ClusterId, LongestCluster);
        writer.Text(header.Port, LongestPort);
        return writer;
    }

    /// <summary>Ends a frame: its length is known.</summary>
    public static int End(in ControlWriter writer)
    {
        writer.UInt16At(LengthOffset, writer.Length);
        return writer.Length;
    }
}
