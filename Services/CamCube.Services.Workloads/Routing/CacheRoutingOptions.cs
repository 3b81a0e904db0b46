using System.Globalization;

namespace CamCube.Services.Workloads.Routing;

/// <summary>The items of a cache and where they may lie: at the root of their key, and at those of k more keys (HPDC
/// §5.1). Any thread.</summary>
public sealed class CacheRoutingOptions
{
    private readonly Key[][] _keys;

    /// <summary>Items with evenly spread keys.</summary>
    /// <param name="items">How many.</param>
    /// <param name="copies">k: keys besides the item's own.</param>
    public CacheRoutingOptions(int items, int copies) =>
        _keys = [
            .. Enumerable
                .Range(0, items)
                .Select(item =>
                    Enumerable
                        .Range(0, copies + 1)
                        .Select(copy =>
                            Key.OfName(string.Create(CultureInfo.InvariantCulture, $"item {item} copy {copy}"))
                        )
                        .ToArray()
                ),
        ];

    /// <summary>How many items.</summary>
    public int Items => _keys.Length;

    /// <summary>The item's own key: its root has it always.</summary>
    public Key RootOf(int item) => _keys[item][0];

    /// <summary>The one of its k + 1 keys that is closest to a server; of equally close ones the first.</summary>
    public Key ClosestOf(int item, Coordinate from, TorusShape shape)
    {
        Key best = default;
        int least = int.MaxValue;
        foreach (Key key in _keys[item])
        {
            int distance = shape.Distance(from, key.HomeIn(shape));
            (best, least) = distance < least ? (key, distance) : (best, least);
        }

        return best;
    }
}
