namespace CamCube.Services.Cache.Store;

/// <summary>
/// Items that live and die together: those that this server stored during one unbroken time as root of one class of
/// keys. Ending a group makes all its items invisible at once; their memory is given back later, a bounded number at a
/// time (<see cref="ItemStore.Reap"/>).
/// </summary>
internal sealed class ItemGroup
{
    /// <summary>Whether its items may be found.</summary>
    public bool IsAlive { get; set; } = true;

    /// <summary>First item of the group's list.</summary>
    public Item? First { get; set; }
}
