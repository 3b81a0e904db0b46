using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Store;

/// <summary>
/// Sizes of chunks, from 1 on: each a page divided by a whole number, so that nothing is left over, and up to an eighth
/// of a page each at most a sixteenth larger than the one before. Above there are few; what does not fit one well is
/// put into several chunks.
/// </summary>
internal sealed class SizeClasses
{
    /// <summary>More classes than there ever are.</summary>
    public const int Most = CacheStoreNumbers.MostClasses;

    // Below it are items with key and value of 16 bytes together: few, and in steps that would save little.
    private const int Least = 64;

    private readonly int[] _bytes;
    private readonly byte[] _classOf;
    private readonly int _fine;
    private readonly int _unit;

    public SizeClasses(PageMemory memory)
    {
        (PageBytes, _unit, _fine) = (memory.PageBytes, memory.UnitBytes, memory.PageBytes / 8);
        var sizes = new List<int> { 0 };
        int size = RoundUp(Least);
        while (size <= _fine)
        {
            // The largest size of which as many fit into a page.
            int perPage = PageBytes / size;
            sizes.Add(PageBytes / perPage / _unit * _unit);
            size = Math.Max(RoundUp(size + 1), (sizes[^1] + (sizes[^1] / 16)) / _unit * _unit);
        }

        for (int perPage = 8; perPage >= 1; perPage--)
        {
            int large = PageBytes / perPage / _unit * _unit;
            if (large > sizes[^1])
            {
                sizes.Add(large);
            }
        }

        _bytes = [.. sizes];
        _classOf = new byte[(_fine / _unit) + 1];
        for (int i = 0, number = 1; i < _classOf.Length; i++)
        {
            while (_bytes[number] < i * _unit)
            {
                number++;
            }

            _classOf[i] = (byte)number;
        }
    }

    /// <summary>Numbers from 1 up to, and without, this.</summary>
    public int Count => _bytes.Length;

    /// <summary>Bytes of a page.</summary>
    public int PageBytes { get; }

    /// <summary>Bytes of a chunk.</summary>
    public int BytesOf(int number) => _bytes[number];

    /// <summary>Chunks of a page.</summary>
    public int PerPage(int number) => PageBytes / _bytes[number];

    /// <summary>
    /// The class for so many bytes. Where the next larger one would waste more than an eighth, the next smaller: the
    /// rest goes into another chunk.
    /// </summary>
    public int Choose(int bytes)
    {
        if (bytes <= _fine)
        {
            return _classOf[(bytes + _unit - 1) / _unit];
        }

        int number = Count - 1;
        if (bytes > PageBytes)
        {
            return number;
        }

        while (_bytes[number - 1] >= bytes)
        {
            number--;
        }

        return _bytes[number] - bytes <= bytes / 8 ? number : number - 1;
    }

    private int RoundUp(int bytes) => (bytes + _unit - 1) / _unit * _unit;
}
