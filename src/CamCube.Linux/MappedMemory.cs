using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>Memory that the kernel shares by a descriptor. Unmapped with the handle; the descriptor's own memory lives
/// until both are closed.</summary>
[SupportedOSPlatform("linux")]
public sealed unsafe class MappedMemory : SafeHandle
{
    private const int ReadWrite = 3;
    private const int Shared = 1;
    private readonly nuint _length;

    private MappedMemory(nint memory, nuint length)
        : base(-1, ownsHandle: true)
    {
        _length = length;
        SetHandle(memory);
    }

    /// <inheritdoc/>
    public override bool IsInvalid => handle == -1;

    /// <summary>The memory; valid until the handle is disposed.</summary>
    public byte* Pointer => (byte*)handle;

    /// <summary>Maps a descriptor from its beginning. Answers an error number, 0 for success.</summary>
    public static int Map(SafeHandle descriptor, nuint length, out MappedMemory memory)
    {
        memory = new MappedMemory(LinuxCalls.Map(null, length, ReadWrite, Shared, descriptor, 0), length);
        return memory.IsInvalid ? Marshal.GetLastPInvokeError() : 0;
    }

    /// <inheritdoc/>
    protected override bool ReleaseHandle() => LinuxCalls.Unmap(handle, _length) == 0;
}
