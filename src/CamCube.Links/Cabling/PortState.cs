using CamCube.Cables;

namespace CamCube.Cabling;

/// <summary>What is known about one port, and when it is to be greeted next. Loop only.</summary>
internal sealed class PortState(CablePort port)
{
    public CablePort Port { get; } = port;

    /// <summary>The link that it is meant to be, null if it is only listened on: by the settings, or by the place
    /// (<see cref="SingleCables"/>).
    /// </summary>
    public Link? Link { get; set; } = port.Link;

    public bool IsUp { get; set; } = true;

    /// <summary>Largest frame; 0 while the port is gone.</summary>
    public int MaxFrame { get; set; } = 1_514;

    /// <summary>What others than servers put on the cable, as far as the ports can see it.</summary>
    public ForeignTraffic? Foreign { get; set; }

    public CablingHeard Heard { get; private set; }

    /// <summary>The sender of the last hello.</summary>
    public ControlHeader From { get; private set; }

    /// <summary>Its hello, if it is one of this version.</summary>
    public Hello? Hello { get; private set; }

    /// <summary>What is different about a sender that does not belong here.</summary>
    public string Detail { get; private set; } = "";

    /// <summary>When the sender of the last hello was heard last.</summary>
    public long HeardAt { get; set; } = long.MinValue / 2;

    public bool IsAdmitted { get; set; }

    /// <summary>When the next hello is due.</summary>
    public long NextHello { get; set; }

    public long LastHello { get; set; } = long.MinValue / 2;

    /// <summary>When something changed here last.</summary>
    public long ChangedAt { get; set; }

    public long LastKnownList { get; set; } = long.MinValue / 2;

    /// <summary>Where to go on with the list of known reports; null: none is being sent.</summary>
    public ServerId? KnownFrom { get; set; }

    /// <summary>The first rank of the part of the map that the other end wants; -1: none.</summary>
    public int WantedRank { get; set; } = -1;

    /// <summary>Changes of the sender within a while.</summary>
    public int PeerChanges { get; private set; }

    private long PeerChangedAt { get; set; } = long.MinValue / 2;

    /// <summary>Whether what is heard comes from a server of this cube.</summary>
    public bool HearsServer => Heard == CablingHeard.Server;

    /// <summary>Whether the other end says that it hears this port of this run of this server.</summary>
    public bool IsMutual(ServerId self, ulong nonce) =>
        Hello?.Echo is { } echo
        && echo.Server == self
        && echo.Nonce == nonce
        && Link is { } link
        && echo.Link == (int)link;

    /// <summary>A hello arrived. True if it says something new.</summary>
    public bool Take(
        CablingHeard heard,
        in ControlHeader from,
        Hello? hello,
        string detail,
        long now,
        CablingOptions options
    )
    {
        bool isOtherPeer =
            Heard != CablingHeard.Nothing
            && (from.Server != From.Server || from.Link != From.Link || from.Port != From.Port);
        if (isOtherPeer)
        {
            PeerChanges = now - PeerChangedAt < options.Silence.Ticks * 100 ? PeerChanges + 1 : 1;
            PeerChangedAt = now;
        }
        else if (PeerChanges > 0 && now - PeerChangedAt > options.Silence.Ticks * 100)
        {
            PeerChanges = 0;
        }

        if (PeerChanges >= options.MostChangesOfPeer)
        {
            (heard, detail) = (CablingHeard.Several, "");
        }

        // The digest of reports changes all the time and is looked at with each hello.
        bool isNews =
            heard != Heard
            || from != From
            || detail != Detail
            || (hello is null) != (Hello is null)
            || (
                hello is not null
                && hello with { KnownReports = 0, Digest = 0 } != Hello! with { KnownReports = 0, Digest = 0 }
            );
        (Heard, From, Hello, Detail, HeardAt) = (heard, from, hello, detail, now);
        if (isNews)
        {
            ChangedAt = now;
        }

        return isNews;
    }

    /// <summary>Nothing is heard any more.</summary>
    public void Forget(long now)
    {
        (Heard, From, Hello, Detail, ChangedAt, WantedRank, KnownFrom) = (
            CablingHeard.Nothing,
            default,
            null,
            "",
            now,
            -1,
            null
        );
    }

    /// <summary>What the others are told.</summary>
    public PortReport Report(ServerId self, ulong nonce)
    {
        bool isHeard = Heard != CablingHeard.Nothing;
        return new PortReport(
            Port.Name,
            Link,
            IsUp,
            MaxFrame,
            IsAdmitted,
            Heard,
            IsMutual(self, nonce),
            isHeard ? From.Server : default,
            isHeard ? (Link)From.Link : default,
            isHeard ? From.Port : "",
            Detail
        );
    }
}
