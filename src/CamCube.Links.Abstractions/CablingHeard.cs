namespace CamCube;

/// <summary>What a port hears.</summary>
public enum CablingHeard
{
    /// <summary>Nothing, or nothing any more.</summary>
    Nothing = 0,

    /// <summary>A server of this cube.</summary>
    Server = 1,

    /// <summary>A server of another cluster.</summary>
    OtherCluster = 2,

    /// <summary>A server of this cluster with another shape in its settings.</summary>
    OtherShape = 3,

    /// <summary>A server that speaks a version that this one does not.</summary>
    OtherVersion = 4,

    /// <summary>This very server: the cable leads back.</summary>
    Itself = 5,

    /// <summary>Several servers in turn: there is a switch.</summary>
    Several = 6,

    /// <summary>Another process with this server's identity.</summary>
    SameIdentity = 7,
}
