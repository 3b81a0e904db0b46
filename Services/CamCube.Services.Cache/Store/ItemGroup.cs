namespace CamCube.Services.Cache.Store;

/// <summary>
/// Items that live and die together: those that this server stored during one unbroken time as root of one class of
/// keys. Ending a group makes all its items invisible at once; their memory is given back later, a bounded number at a
/// time (<see cref="ItemStore.Reap"/>).
/// </summary>
internal sealed class ItemGroup
{
    /// <summary>Its number in the store, in every item's header; 0: it has none, and no item.</summary>
    public ushort Number { get; set; }
}
