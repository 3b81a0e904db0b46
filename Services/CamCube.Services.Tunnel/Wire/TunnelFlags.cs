namespace CamCube.Services.Tunnel.Wire;

/// <summary>Flags of <see cref="TunnelHeader"/>.</summary>
[Flags]
internal enum TunnelFlags : byte
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>A queue on the way was long. Set on the way.</summary>
    Congested = 1,

    /// <summary>The checksum of TCP or UDP is unfinished: the sum of its pseudo-header.</summary>
    PartialSum = 2,

    /// <summary>The first of a frame that was cut.</summary>
    First = 4,

    /// <summary>The last of one.</summary>
    Last = 8,

    /// <summary>It goes by base routing because its path is broken. Set on the way.</summary>
    OffPath = 16,

    /// <summary>It goes the other way round on the axis of its first link.</summary>
    WayRound = 32,
}
