namespace CamCube;

/// <summary>A port of a server and what is heard on it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Link">The link that it is meant to be; null: it is listened on only.</param>
/// <param name="IsUp">Whether the hardware says that a cable is in.</param>
/// <param name="MaxFrameLength">Its largest frame in bytes, with 14 bytes of Ethernet header; 0 while it is
/// gone.</param>
/// <param name="IsAdmitted">Whether packets are sent and taken on it.</param>
/// <param name="Heard">What is heard.</param>
public sealed record CablingPort(
    string Name,
    Link? Link,
    bool IsUp,
    int MaxFrameLength,
    bool IsAdmitted,
    CablingHeard Heard
)
{
    /// <summary>The server that is heard, as 16 hexadecimal digits.</summary>
    public string? PeerServerId { get; init; }

    /// <summary>Its place, if known.</summary>
    public Coordinate? PeerCoordinate { get; init; }

    /// <summary>The link that the sending port is meant to be.</summary>
    public Link? PeerLink { get; init; }

    /// <summary>Name of the sending port.</summary>
    public string? PeerPort { get; init; }

    /// <summary>Whether the server at the other end hears this port too.</summary>
    public bool IsMutual { get; init; }

    /// <summary>What is different about a server that does not belong here: its cluster, shape or version.</summary>
    public string? Detail { get; init; }

    /// <summary>What others than servers put on the cable; null: nothing, or nobody could see it. Of the server's own
    /// ports only.</summary>
    public ForeignTraffic? Foreign { get; init; }
}
