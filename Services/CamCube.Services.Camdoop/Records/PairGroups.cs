using System.IO.Hashing;

namespace CamCube.Services.Camdoop.Records;

/// <summary>Which reduce a pair goes to, and along which tree: by its key only, so that all pairs of a key meet. A
/// group is a reduce and a tree; groups are numbered reduce by reduce. Any thread.</summary>
/// <param name="reduces">Reduces, from 1.</param>
/// <param name="trees">Trees of each, from 1.</param>
internal sealed class PairGroups(int reduces, int trees)
{
    /// <summary>How many there are.</summary>
    public int Count { get; } = reduces * trees;

    /// <summary>Trees of a reduce.</summary>
    public int Trees => trees;

    /// <summary>The group of a reduce and a tree.</summary>
    public int Of(int reduce, int tree) => (reduce * trees) + tree;

    /// <summary>The group of a key that goes to a reduce.</summary>
    public int Of(int reduce, ReadOnlySpan<byte> key) => Of(reduce, TreeOf(key));

    /// <summary>The group of a key.</summary>
    /// <param name="key">The key, as it was given.</param>
    /// <param name="partition">The part of it that says which reduce; mostly all of it.</param>
    public int Of(ReadOnlySpan<byte> key, ReadOnlySpan<byte> partition)
    {
        ulong reduce = XxHash3.HashToUInt64(partition);
        return Of((int)Math.BigMul(reduce, (ulong)reduces, out _), TreeOf(key));
    }

    // The tree looks at other bits than the reduce: all of a key also where the reduce looks at a part of it.
    private int TreeOf(ReadOnlySpan<byte> key)
    {
        ulong tree = trees == 1 ? 0 : XxHash3.HashToUInt64(key, seed: 1);
        return (int)Math.BigMul(tree, (ulong)trees, out _);
    }
}
