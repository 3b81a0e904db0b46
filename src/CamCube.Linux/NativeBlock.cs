using System.Runtime.InteropServices;

namespace CamCube.Linux;

/// <summary>Zeroed native memory, aligned to a page: what a system call may keep pointers to. Freed with the
/// handle.</summary>
internal sealed unsafe class NativeBlock : SafeHandle
{
    private const nuint Page = 4_096;

    public NativeBlock(nuint length)
        : base(0, ownsHandle: true)
    {
        void* memory = NativeMemory.AlignedAlloc(length, Page);

        // Pages that are never used stay the kernel's: only what is small is cleared here, the rest by whoever needs
        // it.
        if (length <= 16 * Page)
        {
            NativeMemory.Clear(memory, length);
        }

        SetHandle((nint)memory);
    }

    public override bool IsInvalid => handle == 0;

    /// <summary>The memory; valid until the handle is disposed.</summary>
    public byte* Pointer => (byte*)handle;

    protected override bool ReleaseHandle()
    {
        NativeMemory.AlignedFree((void*)handle);
        return true;
    }
}
