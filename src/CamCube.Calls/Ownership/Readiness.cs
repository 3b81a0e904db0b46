namespace CamCube.Calls;

/// <summary>Whether a server may answer for a key now.</summary>
public enum Readiness : byte
{
    /// <summary>It may.</summary>
    Ready = 0,

    /// <summary>Another server is the root, in this server's view.</summary>
    NotRoot = 1,

    /// <summary>It is the root, but has to wait a little: it became so just now.</summary>
    NotYet = 2,

    /// <summary>It does not see the majority of the cube: others may be roots.</summary>
    NoMajority = 3,

    /// <summary>It is the root, and something else of the service has to end first.</summary>
    Busy = 4,
}
