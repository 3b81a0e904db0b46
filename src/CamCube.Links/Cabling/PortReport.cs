namespace CamCube.Cabling;

/// <summary>What a server tells all others about one of its ports.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Link">The link that it is meant to be; null: only listened on.</param>
/// <param name="IsUp">Whether the hardware says that a cable is in.</param>
/// <param name="MaxFrame">Its largest frame.</param>
/// <param name="IsAdmitted">Whether packets pass.</param>
/// <param name="Heard">What is heard.</param>
/// <param name="IsMutual">Whether the other end hears this port.</param>
/// <param name="Peer">The sender.</param>
/// <param name="PeerLink">The link that its port is meant to be.</param>
/// <param name="PeerPort">The name of its port.</param>
/// <param name="Detail">What is different about a sender that does not belong here.</param>
internal sealed record PortReport(
    string Name,
    Link? Link,
    bool IsUp,
    int MaxFrame,
    bool IsAdmitted,
    CablingHeard Heard,
    bool IsMutual,
    ServerId Peer,
    Link PeerLink,
    string PeerPort,
    string Detail
)
{
    /// <summary>Most bytes of one.</summary>
    public const int Longest =
        5 + 1 + ControlHeader.LongestPort + 10 + 1 + ControlHeader.LongestPort + 1 + LongestDetail;

    private const int LongestDetail = 32;
    private const int NoLink = 255;
    private const int Up = 1;
    private const int Admitted = 2;
    private const int Mutual = 4;

    /// <summary>Whether a server of this cube is heard.</summary>
    public bool HearsServer => Heard == CablingHeard.Server;

    public void Write(ref ControlWriter writer)
    {
        writer.Byte(Link is { } link ? (int)link : NoLink);
        writer.Byte((IsUp ? Up : 0) | (IsAdmitted ? Admitted : 0) | (IsMutual ? Mutual : 0));
        writer.UInt16(MaxFrame);
        writer.Byte((int)Heard);
        writer.UInt64(Peer.Value);
        writer.Byte((int)PeerLink);
        writer.Text(Name, ControlHeader.LongestPort);
        writer.Text(PeerPort, ControlHeader.LongestPort);
        writer.Text(Detail, LongestDetail);
    }

    public static PortReport? TryRead(ref ControlReader reader)
    {
        int link = reader.Byte(),
            flags = reader.Byte(),
            max = reader.UInt16(),
            heard = reader.Byte();
        ServerId peer = reader.Id();
        int peerLink = reader.Byte();
        string name = reader.Text(ControlHeader.LongestPort),
            peerPort = reader.Text(ControlHeader.LongestPort),
            detail = reader.Text(LongestDetail);
        bool isValid =
            !reader.Failed
            && (link < Links.Cables || link == NoLink)
            && peerLink < Links.Cables
            && heard <= (int)CablingHeard.SameIdentity;
        return !isValid
            ? null
            : new PortReport(
                name,
                link == NoLink ? null : (Link)link,
                (flags & Up) != 0,
                max,
                (flags & Admitted) != 0,
                (CablingHeard)heard,
                (flags & Mutual) != 0,
                peer,
                (Link)peerLink,
                peerPort,
                detail
            );
    }
}
