namespace CamCube;

/// <summary>Bits of <see cref="ExtendedHeader"/>. They travel: their values are part of
/// docs/extended-routing.md.</summary>
[Flags]
internal enum ExtendedFlags : byte
{
    /// <summary>A packet that F has nothing to do with.</summary>
    None = 0,

    /// <summary>On its way by F.</summary>
    Routed = 1,

    /// <summary>It was sent to a destination; otherwise F alone knows where it ends.</summary>
    HasDestination = 2,

    /// <summary>That destination is a key.</summary>
    DestinationIsKey = 4,

    /// <summary>It goes to neighbours as themselves: whoever gets it by a cable is the vertex. One that comes locally
    /// has arrived.</summary>
    ToNeighbours = 8,
}
