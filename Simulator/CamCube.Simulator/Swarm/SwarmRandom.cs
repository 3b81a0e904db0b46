using CamCube.Runtime.Engine;

namespace CamCube.Simulator.Swarm;

/// <summary>Random streams of a run that belong to no server: what is drawn for one purpose does not change another's
/// draws.</summary>
public static class SwarmRandom
{
    /// <summary>The stream of a seed and a purpose.</summary>
    public static Random Of(ulong seed, string purpose) => new SeededRandom(seed, purpose);
}
