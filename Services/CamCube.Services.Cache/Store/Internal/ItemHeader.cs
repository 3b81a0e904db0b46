using System.Runtime.InteropServices;

namespace CamCube.Services.Cache.Store.Internal;

/// <summary>
/// In front of an item's key and value in its chunk; behind it, if the value is in several chunks, 4 bytes with the
/// next one's reference. 48 bytes.
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal struct ItemHeader
{
    /// <summary>Bytes of this struct.</summary>
    public const int Size = 48;

    /// <summary>What the chunk is, at the same place in every chunk.</summary>
    public ChunkKind Kind;

    /// <summary>Bytes of the key.</summary>
    public byte KeyLength;

    /// <summary>Number of the item's group.</summary>
    public ushort Group;

    /// <summary>Upper half of the key's hash.</summary>
    public uint Tag;

    /// <summary>The item's token.</summary>
    public ulong Cas;

    /// <summary>Next item of the same bucket.</summary>
    public uint NextInBucket;

    /// <summary>The next item in the order of use (<see cref="UseOrder"/>).</summary>
    public uint Newer;

    /// <summary>The one before it.</summary>
    public uint Older;

    /// <summary>Seconds since 1970 from which it is expired; 0: never.</summary>
    public uint Expires;

    /// <summary>Seconds since 1970 when it was used last.</summary>
    public uint Used;

    /// <summary>When it was used last by the clock of <see cref="UseOrder"/>.</summary>
    public uint UsedAt;

    /// <summary>The client's flags.</summary>
    public uint Flags;

    /// <summary>Low 27 bits: bytes of the value; above: <see cref="CacheItemMarks"/> without those of replies; the
    /// highest: <see cref="IsTallied"/>.</summary>
    private uint _lengthAndMarks;

    /// <summary>Bytes of the value.</summary>
    public int Length
    {
        readonly get => (int)(_lengthAndMarks & LengthMask);
        set => _lengthAndMarks = (_lengthAndMarks & ~LengthMask) | (uint)value;
    }

    /// <summary>Marks that stay with the item: read, stale, somebody has won, binary key.</summary>
    public CacheItemMarks Marks
    {
        readonly get => Unpack(_lengthAndMarks >> LengthBits);
        set => _lengthAndMarks = (_lengthAndMarks & ~MarksMask) | (Pack(value) << LengthBits);
    }

    /// <summary>Whether it is counted by its size.</summary>
    public bool IsTallied
    {
        readonly get => (_lengthAndMarks & TalliedBit) != 0;
        set => _lengthAndMarks = value ? _lengthAndMarks | TalliedBit : _lengthAndMarks & ~TalliedBit;
    }

    private const uint TalliedBit = 1u << 31;
    private const uint MarksMask = 15u << LengthBits;
    private const int LengthBits = 27;
    private const uint LengthMask = (1u << LengthBits) - 1;

    // Of six marks, the two that tell of an operation are not kept.
    private static uint Pack(CacheItemMarks marks) =>
        ((uint)marks & 3)
        | (((uint)marks & (uint)CacheItemMarks.IsWinOut) >> 1)
        | (((uint)marks & (uint)CacheItemMarks.HasBinaryKey) >> 2);

    private static CacheItemMarks Unpack(uint bits) =>
        (CacheItemMarks)((bits & 3) | ((bits & 4) << 1) | ((bits & 8) << 2));
}
