using System.Runtime.InteropServices;

namespace CamCube.Runtime.Memory;

/// <summary>Memory outside the heap, page aligned. A value: who has it frees it, once.</summary>
internal unsafe struct NativePages
{
    private const int Alignment = 4_096;
    private void* _start;

    /// <summary>Whether there is none.</summary>
    public readonly bool IsNone => _start is null;

    public static NativePages Allocate(int bytes) =>
        new() { _start = NativeMemory.AlignedAlloc((nuint)bytes, Alignment) };

    /// <summary>The memory from an offset on. Not to be freed by itself.</summary>
    public readonly NativePages At(int offset) => new() { _start = (byte*)_start + offset };

    public readonly Span<byte> Span(int length) => new(_start, length);

    /// <summary>Its address, which never moves.</summary>
    public readonly System.Buffers.MemoryHandle Handle(int offset, System.Buffers.IPinnable owner) =>
        new((byte*)_start + offset, default, owner);

    public void Free()
    {
        NativeMemory.AlignedFree(_start);
        _start = null;
    }
}
