namespace CamCube;

/// <summary>What follows from F's answer.</summary>
internal enum RoutingOutcome : byte
{
    /// <summary>The verdict says it.</summary>
    Verdict = 0,

    /// <summary>It has arrived here.</summary>
    Arrived = 1,

    /// <summary>The next vertex is played by this very server: F is asked again, as that vertex.</summary>
    Again = 2,
}
