namespace CamCube.Chaos;

/// <summary>What is done to a server or a cable.</summary>
public enum FaultKind
{
    /// <summary>The process is killed, and started again later.</summary>
    Kill,

    /// <summary>The process stands still for a while.</summary>
    Stop,

    /// <summary>A cable is cut in one of three ways, and mended later.</summary>
    Cut,

    /// <summary>A cable is cut and mended several times a second.</summary>
    Flap,

    /// <summary>The disk has no room for a while.</summary>
    Fill,

    /// <summary>The process is killed, its data folder deleted, and it is started again.</summary>
    Wipe,
}
