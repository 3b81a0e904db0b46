using System.Runtime.InteropServices;

namespace CamCube.Services.Cache.Store.Internal;

/// <summary>Blocks of native memory of one size, freed together: at the latest when nobody refers to them any
/// more.</summary>
internal sealed unsafe class NativeBlocks(int most, nuint bytes) : SafeHandle(0, ownsHandle: true)
{
    // That of a page of the system, so that whole pages of ours can be given back to it; of a large one where a block
    // has room for it.
    private const nuint Alignment = 4_096;
    private const nuint LargeAlignment = 2 << 20;
    private nint[] _blocks = new nint[most];

    /// <inheritdoc/>
    public override bool IsInvalid => false;

    /// <summary>Where a block begins; 0: it was not allocated.</summary>
    public nint this[int block] => _blocks[block];

    /// <summary>There may be more of them from now on.</summary>
    public void Grow(int most) => Array.Resize(ref _blocks, Math.Max(most, _blocks.Length));

    /// <summary>Allocates a block. The operating system gives memory when a page of it is written first. False: there
    /// is none.</summary>
    public bool TryAllocate(int block)
    {
        try
        {
            bool isLarge = bytes >= LargeAlignment;
            _blocks[block] = (nint)NativeMemory.AlignedAlloc(bytes, isLarge ? LargeAlignment : Alignment);
            if (isLarge)
            {
                SystemMemory.AskForLargePages(_blocks[block], bytes);
            }

            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }

    /// <inheritdoc/>
    protected override bool ReleaseHandle()
    {
        foreach (nint block in _blocks)
        {
            NativeMemory.AlignedFree((void*)block);
        }

        Array.Clear(_blocks);
        return true;
    }
}
