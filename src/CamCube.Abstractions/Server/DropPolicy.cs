namespace CamCube;

/// <summary>Which packet is dropped when a queue is full.</summary>
public enum DropPolicy
{
    /// <summary>The one being added.</summary>
    Newest = 0,

    /// <summary>The one that waited longest.</summary>
    Oldest = 1,
}
