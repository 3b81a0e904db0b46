using System.Numerics;

namespace CamCube.Experiments.Generated;

/// <summary>
/// Which keys are in which files, for a ratio S of output to intermediate data (NSDI'12 §5.2): each key is in 1 / S
/// files, or in so many and one more that the mean is 1 / S; which ones is drawn for each key. S = 1: no two files
/// share a key; S = 1 / N: all have all. A key is in a file once. Equal arguments give equal keys on every machine.
/// Immutable; any thread.
/// </summary>
public sealed class SharedKeys
{
    /// <summary>Bytes of the shortest and of the longest key, without padding.</summary>
    public const int LeastKey = 4,
        MostKey = 28;

    private const int BitsPerLetter = 5;
    private const ulong Golden = 0x9E3779B97F4A7C15;
    private readonly int[][] _ofFile;
    private readonly int _letters;
    private readonly ulong _seed;
    private readonly int _padding;

    /// <summary>Draws keys.</summary>
    /// <param name="files">Files, from 1.</param>
    /// <param name="perFile">Keys of each, about.</param>
    /// <param name="share">S, 1 / <paramref name="files"/> to 1.</param>
    /// <param name="seed">Of all that is drawn.</param>
    /// <param name="padding">Dots behind each key, where fewer and longer ones will do.</param>
    public SharedKeys(int files, int perFile, double share, ulong seed, int padding = 0)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(files, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(perFile, 1);
        (Share, _seed, _padding) = (Math.Clamp(share, 1.0 / files, 1), seed, padding);
        Count = (int)Math.Round((double)files * perFile * Share);
        _letters = Math.Max(LeastKey, (BitOperations.Log2((uint)Math.Max(1, Count - 1)) / BitsPerLetter) + 1);
        var lists = new List<int>[files];
        for (int file = 0; file < files; file++)
        {
            lists[file] = new List<int>(perFile + (perFile / 16) + 16);
        }

        FilesPerKey = new long[files + 1];
        Draw(lists);
        _ofFile = [.. lists.Select(static list => list.ToArray())];
    }

    /// <summary>S.</summary>
    public double Share { get; }

    /// <summary>Files.</summary>
    public int Files => _ofFile.Length;

    /// <summary>Bytes of the longest key.</summary>
    public int MostBytes => MostKey + _padding;

    /// <summary>Different keys.</summary>
    public int Count { get; }

    /// <summary>Keys of all files, each as often as there are files that have it.</summary>
    public long Entries => _ofFile.Sum(static keys => (long)keys.Length);

    /// <summary>How many keys are in 0, 1, 2 and so on files.</summary>
    public long[] FilesPerKey { get; }

    /// <summary>The numbers of a file's keys, in order.</summary>
    public ReadOnlySpan<int> OfFile(int file) => _ofFile[file];

    /// <summary>Writes a key: lower-case letters and digits, different for each number. Returns its length.</summary>
    /// <param name="number">Its number, below <see cref="Count"/>.</param>
    /// <param name="to">Room for <see cref="MostBytes"/>.</param>
    public int WriteKey(int number, Span<byte> to)
    {
        const string Letters = "abcdefghijklmnopqrstuvwxyz234567";
        ulong hash = Mixed(_seed + ((ulong)number * Golden));
        int length = Math.Max(_letters, LeastKey + (int)(hash % (MostKey - LeastKey + 1)));

        // Multiplied by an odd number all are different still, and neighbours are far apart.
        ulong first = unchecked((ulong)number * 0x9E3779B1);
        for (int i = _letters - 1; i >= 0; i--)
        {
            to[i] = (byte)Letters[(int)(first & 31)];
            first >>= BitsPerLetter;
        }

        for (int i = _letters; i < length; i++)
        {
            hash = i % 12 == 0 ? Mixed(hash) : hash >> BitsPerLetter;
            to[i] = (byte)Letters[(int)(hash & 31)];
        }

        to.Slice(length, _padding).Fill((byte)'.');
        return length + _padding;
    }

    /// <summary>How many keys each two files have in common.</summary>
    public long[,] InCommon()
    {
        var common = new long[Files, Files];
        var files = new List<int>[Count];
        for (int file = 0; file < Files; file++)
        {
            foreach (int key in OfFile(file))
            {
                (files[key] ??= []).Add(file);
            }
        }

        foreach (List<int> one in files)
        {
            foreach (int left in one)
            {
                foreach (int right in one)
                {
                    common[left, right]++;
                }
            }
        }

        return common;
    }

    private void Draw(List<int>[] lists)
    {
        int[] files = [.. Enumerable.Range(0, lists.Length)];
        double mean = 1 / Share;
        ulong state = Mixed(_seed + 1);
        for (int key = 0; key < Count; key++)
        {
            state += Golden;
            double coin = (Mixed(state) >> 11) * (1.0 / (1UL << 53));
            int count = Math.Clamp((int)(mean + coin), 1, files.Length);
            FilesPerKey[count]++;
            for (int i = 0; i < count; i++)
            {
                // The first places of a shuffle.
                state += Golden;
                int at = i + (int)Math.BigMul(Mixed(state), (ulong)(files.Length - i), out _);
                (files[i], files[at]) = (files[at], files[i]);
                lists[files[i]].Add(key);
            }
        }
    }

    // SplitMix64.
    private static ulong Mixed(ulong value)
    {
        unchecked
        {
            value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
            value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
            return value ^ (value >> 31);
        }
    }
}
