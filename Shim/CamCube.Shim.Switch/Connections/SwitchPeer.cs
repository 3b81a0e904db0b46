using System.Net;
using System.Runtime.Versioning;

namespace CamCube.Shim.Switch.Connections;

/// <summary>Another server, whether it is connected or not. Data; loop only.</summary>
/// <param name="rank">Its rank.</param>
/// <param name="place">Its place.</param>
/// <param name="address">Where it is.</param>
/// <param name="links">This server's links that lead to it.</param>
/// <param name="dials">Whether this server connects to it, and not the other way round.</param>
/// <param name="queueBytes">How much may wait for it.</param>
[SupportedOSPlatform("linux")]
internal sealed class SwitchPeer(
    int rank,
    Coordinate place,
    IPEndPoint address,
    LinkSet links,
    bool dials,
    int queueBytes
)
{
    /// <summary>Nothing of the kind is so.</summary>
    public const long Never = long.MaxValue;

    public int Rank => rank;

    public Coordinate Place => place;

    public IPEndPoint Address => address;

    public LinkSet Links => links;

    public bool Dials => dials;

    public SendQueue Queue { get; } = new(queueBytes);

    /// <summary>The connection, also while it is being made by this server; null: none.</summary>
    public Connection? Connection { get; set; }

    /// <summary>Links that wait for room.</summary>
    public LinkSet Waiting { get; set; }

    /// <summary>Since when more waits than may.</summary>
    public long FullSince { get; set; } = Never;

    /// <summary>Nobody waits for it any more: what is for it is dropped.</summary>
    public bool IsSlow { get; set; }

    /// <summary>Something was put into the queue since it was last sent.</summary>
    public bool IsDirty { get; set; }

    /// <summary>When to connect again.</summary>
    public long DialAt { get; set; } = long.MinValue;

    /// <summary>How long to wait then after the next failure.</summary>
    public long Pause { get; set; }

    /// <summary>Whether packets go to it now.</summary>
    public bool IsOpen => Connection is { State: ConnectionState.Open };
}
