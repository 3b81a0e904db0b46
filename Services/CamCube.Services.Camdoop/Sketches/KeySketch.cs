using System.IO.Hashing;

namespace CamCube.Services.Camdoop.Sketches;

/// <summary>
/// The heaviest keys of many pairs in bounded memory, as Misra and Gries have it, and mergeable (Agarwal et al., PODS
/// 2012): of any key, the pairs that it has are at least what is said, and at most that and <see cref="Error"/>, which
/// is at most a 129th of all pairs. What it says follows from what was added and in which order. One thread at a time.
/// </summary>
internal sealed class KeySketch
{
    /// <summary>Keys that it has at most.</summary>
    public const int Most = 128;

    /// <summary>Bytes of a key that are kept, for people.</summary>
    public const int StartBytes = 64;

    private readonly Dictionary<ulong, SketchKey> _keys = [];

    /// <summary>All pairs that were added.</summary>
    public long Pairs { get; private set; }

    /// <summary>By how many pairs a count may be too low.</summary>
    public long Error { get; private set; }

    /// <summary>The keys that it has, the heaviest first.</summary>
    public IReadOnlyList<SketchKey> Keys =>
        [.. _keys.Values.OrderByDescending(static key => key.Pairs).ThenBy(static key => key.Hash)];

    /// <summary>What it has, to be sent.</summary>
    public SketchRecord ToRecord() => new(Pairs, Error, Keys);

    /// <summary>Adds pairs of one key. <see cref="Prune"/> has to follow, in the end.</summary>
    /// <param name="key">The key, as the job's functions know it.</param>
    /// <param name="pairs">Its pairs.</param>
    public void Add(ReadOnlySpan<byte> key, long pairs)
    {
        ulong hash = XxHash3.HashToUInt64(key);
        Add(
            _keys.TryGetValue(hash, out SketchKey? there)
                ? there with
                {
                    Pairs = pairs,
                }
                : new SketchKey(hash, pairs, key.Length, key[..Math.Min(key.Length, StartBytes)].ToArray())
        );
    }

    /// <summary>So many pairs were added altogether, and no key has more of them that are not said than
    /// <paramref name="error"/>: at most a 129th of those that are not.</summary>
    public void Count(long pairs, long error)
    {
        Pairs += pairs;
        Error += error;
    }

    /// <summary>Adds what another has.</summary>
    public void Add(SketchRecord other)
    {
        foreach (SketchKey key in other.Keys.Take(Most))
        {
            Add(key);
        }

        Count(other.Pairs, other.Error);
        Prune();
    }

    /// <summary>Keeps the heaviest: what the first that is left out has is taken from all, so that what is lost of any
    /// key was lost of 129 at once.</summary>
    public void Prune()
    {
        if (_keys.Count <= Most)
        {
            return;
        }

        IReadOnlyList<SketchKey> keys = Keys;
        long rest = keys[Most].Pairs;
        _keys.Clear();
        foreach (SketchKey key in keys.Where(key => key.Pairs > rest))
        {
            _keys.Add(key.Hash, key with { Pairs = key.Pairs - rest });
        }

        Error += rest;
    }

    private void Add(SketchKey key)
    {
        long before = _keys.TryGetValue(key.Hash, out SketchKey? there) ? there.Pairs : 0;
        _keys[key.Hash] = key with { Pairs = before + key.Pairs };
    }
}
