namespace CamCube.Cabling;

/// <summary>What a server says on a port about itself and that port (docs/cabling.md, hello).</summary>
internal sealed record Hello
{
    private const int HasCoordinate = 1;
    private const int CoordinateIsFixed = 2;
    private const int HasMap = 4;
    private const int HearsYou = 8;
    private const int ParallelCables = 16;
    private const int Refuses = 32;
    private const int Admits = 64;

    /// <summary>Largest frame of the sending port.</summary>
    public required int PortMaxFrame { get; init; }

    /// <summary>Largest frame that the sender sends; 0 while it has no place.</summary>
    public required int MaxFrame { get; init; }

    /// <summary>Axis sizes as the sender's settings have them; nobody has checked them.</summary>
    public required (int X, int Y, int Z, bool Parallel) Shape { get; init; }

    public Coordinate? Coordinate { get; init; }

    public bool IsFixed { get; init; }

    public MapEpoch? Map { get; init; }

    public bool IsRefusing { get; init; }

    /// <summary>Whether the sender takes packets on this port.</summary>
    public bool IsAdmitting { get; init; }

    /// <summary>What the sender hears on this port.</summary>
    public (ServerId Server, ulong Nonce, int Link)? Echo { get; init; }

    /// <summary>Number of the reports that the sender knows, and a sum over them.</summary>
    public int KnownReports { get; init; }

    public ulong Digest { get; init; }

    public void Write(ref ControlWriter writer)
    {
        writer.Byte(
            (Coordinate is null ? 0 : HasCoordinate)
                | (IsFixed ? CoordinateIsFixed : 0)
                | (Map is null ? 0 : HasMap)
                | (Echo is null ? 0 : HearsYou)
                | (Shape.Parallel ? ParallelCables : 0)
                | (IsRefusing ? Refuses : 0)
                | (IsAdmitting ? Admits : 0)
        );
        writer.UInt16(PortMaxFrame);
        writer.UInt16(MaxFrame);
        writer.UInt16(Shape.X);
        writer.UInt16(Shape.Y);
        writer.UInt16(Shape.Z);
        writer.Coordinate(Coordinate);
        writer.Epoch(Map);
        writer.UInt64(Echo?.Server.Value ?? 0);
        writer.UInt64(Echo?.Nonce ?? 0);
        writer.Byte(Echo?.Link ?? 0);
        writer.UInt32(KnownReports);
        writer.UInt64(Digest);
    }

    public static Hello? TryRead(ref ControlReader reader)
    {
        int flags = reader.Byte(),
            portMax = reader.UInt16(),
            max = reader.UInt16();
        (int, int, int, bool) shape = (
            reader.UInt16(),
            reader.UInt16(),
            reader.UInt16(),
            (flags & ParallelCables) != 0
        );
        Coordinate coordinate = reader.Coordinate();
        MapEpoch epoch = reader.Epoch();
        (ServerId, ulong, int) echo = (reader.Id(), reader.UInt64(), reader.Byte());
        int known = (int)reader.UInt32();
        ulong digest = reader.UInt64();
        return reader.Failed
            ? null
            : new Hello
            {
                PortMaxFrame = portMax,
                MaxFrame = max,
                Shape = shape,
                Coordinate = (flags & HasCoordinate) != 0 ? coordinate : null,
                IsFixed = (flags & CoordinateIsFixed) != 0,
                Map = (flags & HasMap) != 0 ? epoch : null,
                IsRefusing = (flags & Refuses) != 0,
                IsAdmitting = (flags & Admits) != 0,
                Echo = (flags & HearsYou) != 0 ? echo : null,
                KnownReports = known,
                Digest = digest,
            };
    }
}
