using CamCube.Calls;
using CamCube.Services.Cache.Store;

namespace CamCube.Services.Cache.Ownership;

/// <summary>What a server holds as root of a class of keys: a group of items. Loop only.</summary>
internal sealed class ItemGroups(ItemStore store) : IHeld<ItemGroup>
{
    /// <inheritdoc/>
    public ItemGroup Begin() => new();

    /// <inheritdoc/>
    public void End(ItemGroup held, bool isEmptied) => store.End(held, isFlush: isEmptied);
}
