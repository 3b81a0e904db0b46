namespace CamCube.Swarm.Exploration;

/// <summary>Where an exploration begins.</summary>
public enum ExploreStart
{
    /// <summary>All stores are blank; the group has to be born first.</summary>
    Blank,

    /// <summary>The group is born; nobody leads.</summary>
    Born,

    /// <summary>The first member leads, and its first entry is applied.</summary>
    Led,
}
