using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Store;

/// <summary>
/// Counts items by their size in steps of 32 bytes, as memcached's <c>stats sizes</c>: those that were stored since it
/// began, which a bit in their headers tells from the others. Loop only.
/// </summary>
internal sealed class SizeTally
{
    private const int Step = 32;
    private readonly Dictionary<int, long> _items = [];

    /// <summary>An item has this size from now on.</summary>
    public void Add(ref ItemHeader item, long bytes)
    {
        item.IsTallied = true;
        _items[StepOf(bytes)] = _items.GetValueOrDefault(StepOf(bytes)) + 1;
    }

    /// <summary>An item of this size goes, or gets another.</summary>
    public void Remove(ref ItemHeader item, long bytes)
    {
        if (item.IsTallied)
        {
            item.IsTallied = false;
            _items[StepOf(bytes)]--;
        }
    }

    /// <summary>Items by the upper end of their step, smallest first.</summary>
    public IReadOnlyList<CacheSizeCount> Counts() =>
        [
            .. _items
                .Where(step => step.Value != 0)
                .OrderBy(step => step.Key)
                .Select(step => new CacheSizeCount(step.Key, step.Value)),
        ];

    private static int StepOf(long bytes) => (int)((bytes + Step - 1) / Step * Step);
}
