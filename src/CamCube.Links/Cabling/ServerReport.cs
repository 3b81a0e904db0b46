namespace CamCube.Cabling;

/// <summary>What a server tells all others about itself and its ports; the one with the larger sequence is newer
/// (docs/cabling.md, report).
/// </summary>
internal sealed class ServerReport
{
    /// <summary>Most ports of a report; further ones stay the server's own knowledge.</summary>
    public const int MostPorts = 16;

    /// <summary>What a frame with the longest header has room for.</summary>
    public const int MostBytes = ControlHeader.LongestFrame - ControlHeader.Longest;

    private const int SequenceOffset = 16;
    private const int HasCoordinate = 1;
    private const int CoordinateIsFixed = 2;
    private const int HasMap = 4;
    private const int Refuses = 8;

    public required ServerId Server { get; init; }

    public required ulong Nonce { get; init; }

    /// <summary>Counts this server's reports; begins at a clock's time, and above what others still remember.</summary>
    public ulong Sequence { get; init; }

    /// <summary>When it was started, by its clock.</summary>
    public required long BootMillis { get; init; }

    public required Coordinate? Coordinate { get; init; }

    public required bool IsFixed { get; init; }

    public required bool IsRefusing { get; init; }

    public required MapEpoch? Map { get; init; }

    public required IReadOnlyList<PortReport> Ports { get; init; }

    /// <summary>The report's bytes, as they are forwarded.</summary>
    public byte[] Bytes { get; private set; } = [];

    /// <summary>The port of a link, or null.</summary>
    public PortReport? PortOf(Link link)
    {
        foreach (PortReport port in Ports)
        {
            if (port.Link == link)
            {
                return port;
            }
        }

        return null;
    }

    /// <summary>The same with other words about its ports; it is not forwarded.</summary>
    public ServerReport With(IReadOnlyList<PortReport> ports) =>
        new()
        {
            Server = Server,
            Nonce = Nonce,
            Sequence = Sequence,
            BootMillis = BootMillis,
            Coordinate = Coordinate,
            IsFixed = IsFixed,
            IsRefusing = IsRefusing,
            Map = Map,
            Ports = ports,
            Bytes = Bytes,
        };

    /// <summary>Whether two reports of a server say the same.</summary>
    public bool SaysAs(ServerReport? other) =>
        other is not null
        && Bytes.AsSpan(0, SequenceOffset).SequenceEqual(other.Bytes.AsSpan(0, SequenceOffset))
        && Bytes.AsSpan(SequenceOffset + 8).SequenceEqual(other.Bytes.AsSpan(SequenceOffset + 8));

    /// <summary>The same with its bytes. What does not fit a frame is left out: links come first.</summary>
    public ServerReport Encoded()
    {
        Span<byte> buffer = stackalloc byte[MostBytes];
        var writer = new ControlWriter(buffer);
        writer.UInt64(Server.Value);
        writer.UInt64(Nonce);
        writer.UInt64(Sequence);
        writer.UInt64((ulong)BootMillis);
        writer.Byte(
            (Coordinate is null ? 0 : HasCoordinate)
                | (IsFixed ? CoordinateIsFixed : 0)
                | (Map is null ? 0 : HasMap)
                | (IsRefusing ? Refuses : 0)
        );
        writer.Coordinate(Coordinate);
        writer.Epoch(Map);
        int countAt = writer.Length,
            count = 0;
        writer.Byte(0);
        foreach (PortReport port in Ports)
        {
            if (writer.Room < PortReport.Longest || count == MostPorts)
            {
                break;
            }

            port.Write(ref writer);
            count++;
        }

        Bytes = buffer[..writer.Length].ToArray();
        Bytes[countAt] = (byte)count;
        return this;
    }

    public static ServerReport? TryRead(ref ControlReader reader)
    {
        ReadOnlySpan<byte> bytes = reader.Remaining;
        int begin = reader.Offset;
        ServerId server = reader.Id();
        ulong nonce = reader.UInt64(),
            sequence = reader.UInt64();
        long boot = (long)reader.UInt64();
        int flags = reader.Byte();
        Coordinate coordinate = reader.Coordinate();
        MapEpoch epoch = reader.Epoch();
        int count = reader.Byte();
        if (reader.Failed || count > MostPorts)
        {
            return null;
        }

        var ports = new PortReport[count];
        LinkSet seen = default;
        for (int i = 0; i < count; i++)
        {
            if (PortReport.TryRead(ref reader) is not { } port || (port.Link is { } link && seen.Contains(link)))
            {
                return null;
            }

            ports[i] = port;
            if (port.Link is { } known)
            {
                seen |= known;
            }
        }

        return new ServerReport
        {
            Server = server,
            Nonce = nonce,
            Sequence = sequence,
            BootMillis = boot,
            Coordinate = (flags & HasCoordinate) != 0 ? coordinate : null,
            IsFixed = (flags & CoordinateIsFixed) != 0,
            IsRefusing = (flags & Refuses) != 0,
            Map = (flags & HasMap) != 0 ? epoch : null,
            Ports = ports,
            Bytes = bytes[..(reader.Offset - begin)].ToArray(),
        };
    }
}
