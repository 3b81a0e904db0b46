namespace CamCube.Runtime.Core;

/// <summary>Where a server stands with its keys.</summary>
internal enum KeyPhase : byte
{
    /// <summary>Without keys, and not about to return.</summary>
    Without = 0,

    /// <summary>Its services get ready.</summary>
    Returning = 1,

    /// <summary>Its entry says that it has them; not all neighbours are known to have heard it.</summary>
    Announced = 2,

    /// <summary>It has them.</summary>
    Taken = 3,
}
