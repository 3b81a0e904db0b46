namespace CamCube.Administration;

/// <summary>What kind of thing went wrong when a host was asked.</summary>
public enum HostFailure
{
    /// <summary>Nobody answers there, or not in time.</summary>
    Unreachable,

    /// <summary>The host answered with a problem.</summary>
    Refused,

    /// <summary>What answers is no CamCube host of this version.</summary>
    NotCamCube,
}
