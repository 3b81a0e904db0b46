namespace CamCube.Client.Cache;

/// <summary>What an operation does when no server carried it out.</summary>
public enum OutageBehavior
{
    /// <summary>It throws <see cref="CamCubeCacheException"/>.</summary>
    Throw,

    /// <summary>It behaves as a cache that has lost everything: reads find nothing, writes, refreshes and removals do
    /// nothing. The outage is logged once and every operation is counted. A value whose removal was lost this way is
    /// served again after the outage.</summary>
    Miss,
}
