namespace CamCube.Services.Cache.Store;

/// <summary>One value in memory. Owned by <see cref="ItemStore"/>, which alone changes lists and sizes.</summary>
internal sealed class Item(Key memId, byte[] clientKey, byte[] value, ItemGroup group)
{
    /// <summary>
    /// Bytes an item costs besides key and value, on a 64-bit machine: the item 128, two arrays' headers and rounding
    /// 56, its place in the dictionary at usual fill 56.
    /// </summary>
    public const int Overhead = 240;

    public readonly Key MemId = memId;
    public readonly byte[] ClientKey = clientKey;
    public readonly ItemGroup Group = group;

    /// <summary>Exactly as long as the value. Never changed in place: answers that are still being sent refer to
    /// it.</summary>
    public byte[] Value = value;
    public uint Flags;
    public ulong Cas;

    /// <summary>Seconds since 1970 from which it is expired.</summary>
    public uint Expires = ItemExpiry.Never;

    /// <summary>Seconds since 1970 when it was used last.</summary>
    public uint Used;

    /// <summary>Of what can be marked, what stays with an item: read, stale, somebody has won, binary key.</summary>
    public CacheItemMarks Marks;

    public Item? Newer;
    public Item? Older;
    public Item? NextInGroup;
    public Item? PreviousInGroup;

    public long Cost => CostOf(ClientKey.Length, Value.Length);

    /// <summary>Bytes of memory of an item with a key and a value of these lengths.</summary>
    public static long CostOf(int keyLength, int valueLength) => (long)Overhead + keyLength + valueLength;
}
