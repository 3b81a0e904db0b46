namespace CamCube.Services.Cache.Ownership;

/// <summary>Whether a server may answer for a key now.</summary>
internal enum Readiness : byte
{
    /// <summary>It may.</summary>
    Ready = 0,

    /// <summary>Another server is the root, in this server's view.</summary>
    NotRoot = 1,

    /// <summary>It is the root, but has to wait a little: it became so just now.</summary>
    NotYet = 2,

    /// <summary>It does not see the majority of the cube: others may be roots.</summary>
    NoMajority = 3,

    /// <summary>It is a change, and others may serve copies of the item.</summary>
    HasCopies = 4,
}
