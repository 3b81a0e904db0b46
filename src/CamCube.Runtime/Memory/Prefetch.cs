using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace CamCube.Runtime.Memory;

/// <summary>
/// Brings data into the cache before its server is simulated: a hop is mostly cache misses. A hint is never wrong, only
/// useless: when an object has moved, or on processors without the instruction.
/// </summary>
internal static class Prefetch
{
    private const int Line = 64;

    // Type and length, in front of an array's elements.
    private const int ArrayHeader = 16;

    /// <summary>The first lines of an object.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Object(object o, int lines)
    {
        if (Sse.IsSupported)
        {
            // The address that the reference holds, as a number: nothing is read through it.
            Lines((byte*)Unsafe.As<object, nint>(ref o), lines);
        }
    }

    /// <summary>
    /// The first lines of an array's elements. By the address as a number too: asking the array where its elements are
    /// checks it for null, and that check waits for the very line that is to be brought.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Array(System.Array array, int lines)
    {
        if (Sse.IsSupported)
        {
            Lines((byte*)Unsafe.As<System.Array, nint>(ref array) + ArrayHeader, lines);
        }
    }

    /// <summary>Lines from a place on.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Block<T>(ref T first, int lines)
    {
        if (Sse.IsSupported)
        {
            Lines((byte*)Unsafe.AsPointer(ref first), lines);
        }
    }

    // Written out, because a loop costs three times as much: as many lines as the hints here need.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe void Lines(byte* at, int lines)
    {
        Sse.Prefetch0(at);
        if (lines > 1)
        {
            Sse.Prefetch0(at + Line);
        }

        if (lines > 2)
        {
            Sse.Prefetch0(at + (2 * Line));
        }

        if (lines > 3)
        {
            Sse.Prefetch0(at + (3 * Line));
        }

        if (lines > 4)
        {
            Sse.Prefetch0(at + (4 * Line));
        }
    }
}
