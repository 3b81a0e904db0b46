namespace CamCube.Runtime.Cubes;

/// <summary>State of a cable.</summary>
public enum CableState
{
    /// <summary>Both ends hear each other.</summary>
    Up = 0,

    /// <summary>At least one end hears nothing: a server is stopped, or the cable is faulty.</summary>
    Down = 1,

    /// <summary>Cut by an operator (simulated cubes).</summary>
    Cut = 2,
}
