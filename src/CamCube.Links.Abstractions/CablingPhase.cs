namespace CamCube;

/// <summary>How far a server is with its place in the cube.</summary>
public enum CablingPhase
{
    /// <summary>Its place is not known yet.</summary>
    Searching = 0,

    /// <summary>It has its place.</summary>
    Placed = 1,

    /// <summary>It takes part in nothing until somebody mends what <see cref="CablingReport.Waiting"/> says.</summary>
    Refusing = 2,
}
