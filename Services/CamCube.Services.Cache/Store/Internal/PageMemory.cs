using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace CamCube.Services.Cache.Store.Internal;

/// <summary>
/// The store's memory: pages of one size in native blocks, addressed by 32-bit references in units of 8 bytes or,
/// beyond 32 GiB, more. What was never used costs nothing. Nothing outside this folder knows an address. Loop only.
/// </summary>
internal sealed unsafe class PageMemory : IDisposable
{
    private const int LeastPage = 4 << 10;
    private const int MostPage = 1 << 20;
    private const long MostBlock = 64L << 20;
    private const int PagesPerLimit = 1_024;
    private readonly NativeBlocks _blocks;
    private nint[] _starts;
    private readonly int _blockShift;
    private readonly int _unitShift;
    private readonly ulong _blockMask;
    private readonly int _systemPageBytes;

    /// <param name="limitBytes">Bytes that all pages have together, at most.</param>
    /// <param name="systemPageBytes">Bytes of a page of the system; by default what the system says.</param>
    public PageMemory(long limitBytes, int? systemPageBytes = null)
    {
        _systemPageBytes = systemPageBytes ?? Environment.SystemPageSize;
        PageBytes = (int)
            Math.Clamp((long)BitOperations.RoundUpToPowerOf2((ulong)limitBytes / PagesPerLimit), LeastPage, MostPage);
        PageShift = BitOperations.Log2((uint)PageBytes);
        PageCount = (int)(limitBytes >> PageShift);
        long block = Math.Clamp((long)BitOperations.RoundUpToPowerOf2((ulong)limitBytes / 16), PageBytes, MostBlock);
        _blockShift = BitOperations.Log2((ulong)block);
        _blockMask = (ulong)block - 1;
        _unitShift = 3;
        while (limitBytes >> _unitShift > uint.MaxValue)
        {
            _unitShift++;
        }

        _blocks = new NativeBlocks(BlockCount, (nuint)block);
        _starts = new nint[BlockCount];
    }

    /// <summary>Bytes of a page: a power of two.</summary>
    public int PageBytes { get; }

    /// <summary>Its logarithm.</summary>
    public int PageShift { get; }

    /// <summary>Pages there may be.</summary>
    public int PageCount { get; private set; }

    /// <summary>Most bytes that references can tell apart.</summary>
    public long MostBytes => Math.Min((uint.MaxValue + 1L) << _unitShift, (long)int.MaxValue << PageShift);

    /// <summary>References are multiples of this many bytes.</summary>
    public int UnitBytes => 1 << _unitShift;

    /// <summary>The reference of a place in a page.</summary>
    public uint ReferenceOf(int page, int offset) => (uint)((((long)page << PageShift) + offset) >> _unitShift);

    /// <summary>The page of a reference.</summary>
    public int PageOf(uint reference) => (int)((ulong)reference << _unitShift >> PageShift);

    /// <summary>Where in its page a reference is.</summary>
    public int OffsetOf(uint reference) => (int)((ulong)reference << _unitShift & ((ulong)PageBytes - 1));

    private int BlockCount => (int)((((long)PageCount << PageShift) + (long)_blockMask) >> _blockShift);

    /// <summary>There may be so many pages from now on; never fewer than before.</summary>
    public void Grow(int pages)
    {
        PageCount = Math.Max(PageCount, pages);
        _blocks.Grow(BlockCount);
        Array.Resize(ref _starts, BlockCount);
    }

    /// <summary>Gives the memory of a page, whose content is lost, back to the system. It stays usable. False: that is
    /// not possible.</summary>
    public bool GiveBack(int page) =>
        SystemMemory.GiveBack(
            (nint)Unsafe.AsPointer(ref At<byte>(ReferenceOf(page, 0))),
            (nuint)PageBytes,
            _systemPageBytes
        );

    /// <summary>Makes a page usable. False: the system has no memory.</summary>
    public bool TryOpen(int page)
    {
        int block = (int)(((long)page << PageShift) >> _blockShift);
        if (_starts[block] == 0)
        {
            if (!_blocks.TryAllocate(block))
            {
                return false;
            }

            _starts[block] = _blocks[block];
        }

        return true;
    }

    /// <summary>What is at a place.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref T At<T>(uint reference, int offset = 0)
        where T : unmanaged
    {
        ulong at = (ulong)reference << _unitShift;
        return ref *(T*)(_starts[(int)(at >> _blockShift)] + (nint)(at & _blockMask) + offset);
    }

    /// <summary>Brings bytes at a place closer to the processor; whoever looks at them soon waits less.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Prefetch(uint reference, int offset, int length)
    {
        const int Line = 64;
        if (Sse.IsSupported)
        {
            byte* at = (byte*)Unsafe.AsPointer(ref At<byte>(reference, offset));
            for (byte* end = at + length; at < end; at += Line)
            {
                Sse.Prefetch0(at);
            }
        }
    }

    /// <summary>As above, the line of one number.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Prefetch(ref uint place)
    {
        if (Sse.IsSupported)
        {
            Sse.Prefetch0(Unsafe.AsPointer(ref place));
        }
    }

    /// <summary>Bytes at a place, within one page.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> Bytes(uint reference, int offset, int length) =>
        new(Unsafe.AsPointer(ref At<byte>(reference, offset)), length);

    /// <summary>Gives all memory back. Nothing may be read or written any more.</summary>
    public void Dispose()
    {
        Array.Clear(_starts);
        _blocks.Dispose();
    }
}
