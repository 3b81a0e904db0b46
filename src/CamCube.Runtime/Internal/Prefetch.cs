using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics.X86;

namespace CamCube.Runtime.Internal;

/// <summary>
/// Brings data into the cache before its server is simulated: a hop is mostly cache misses. A hint is never wrong, only useless: when an
/// object has moved, or on processors without the instruction.
/// </summary>
internal static class Prefetch
{
    private const int Line = 64;

    /// <summary>The first lines of an object.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Object(object o, int lines)
    {
        if (Sse.IsSupported)
        {
            // The address that the reference holds, as a number: nothing is read through it.
            byte* at = (byte*)Unsafe.As<object, nint>(ref o);
            for (int i = 0; i < lines; i++)
            {
                Sse.Prefetch0(at + (i * Line));
            }
        }
    }

    /// <summary>The first lines of an array's elements.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Array<T>(T[] array, int lines)
    {
        if (Sse.IsSupported)
        {
            Block(ref MemoryMarshal.GetArrayDataReference(array), lines);
        }
    }

    /// <summary>Lines from a place on.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Block<T>(ref T first, int lines)
    {
        if (Sse.IsSupported)
        {
            byte* at = (byte*)Unsafe.AsPointer(ref first);
            for (int i = 0; i < lines; i++)
            {
                Sse.Prefetch0(at + (i * Line));
            }
        }
    }
}
