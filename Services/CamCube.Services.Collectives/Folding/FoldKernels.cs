using System.Numerics;
using System.Runtime.InteropServices;

namespace CamCube.Services.Collectives.Folding;

/// <summary>The kernels of all types and operators. What an element becomes does not depend on where a piece of a
/// vector begins or ends: the last elements go the same way as all, or NaN might have other bits.</summary>
internal static class FoldKernels
{
    private const int Half16 = 16;
    private static readonly FoldKernel?[,] All = Make();

    /// <summary>The kernel; null: the type does not have the operator, or there is none.</summary>
    public static FoldKernel? Of(ElementType type, ReduceOperator operation) =>
        (uint)type < (uint)All.GetLength(0) && (uint)operation < (uint)All.GetLength(1)
            ? All[(int)type, (int)operation]
            : null;

    private static FoldKernel?[,] Make()
    {
        var all = new FoldKernel?[(int)ElementType.BFloat16 + 1, (int)ReduceOperator.Xor + 1];
        Add<sbyte>(all, ElementType.Int8);
        Add<short>(all, ElementType.Int16);
        Add<int>(all, ElementType.Int32);
        Add<long>(all, ElementType.Int64);
        Add<float>(all, ElementType.Float32);
        Add<double>(all, ElementType.Float64);
        AddSmall<Float16Form>(all, ElementType.Float16);
        AddSmall<BFloat16Form>(all, ElementType.BFloat16);
        return all;
    }

    private static void Add<T>(FoldKernel?[,] all, ElementType type)
        where T : unmanaged
    {
        Set(all, type, ReduceOperator.Sum, Fold<T, Folds.Sum<T>>);
        Set(all, type, ReduceOperator.Product, Fold<T, Folds.Product<T>>);
        Set(all, type, ReduceOperator.Min, Fold<T, Folds.Min<T>>);
        Set(all, type, ReduceOperator.Max, Fold<T, Folds.Max<T>>);
        if (!ElementTypes.IsFloat(type))
        {
            Set(all, type, ReduceOperator.And, Fold<T, Folds.And<T>>);
            Set(all, type, ReduceOperator.Or, Fold<T, Folds.Or<T>>);
            Set(all, type, ReduceOperator.Xor, Fold<T, Folds.Xor<T>>);
        }
    }

    private static void AddSmall<TForm>(FoldKernel?[,] all, ElementType type)
        where TForm : ISmallFloat
    {
        Set(all, type, ReduceOperator.Sum, FoldSmall<TForm, Folds.Sum<float>>);
        Set(all, type, ReduceOperator.Product, FoldSmall<TForm, Folds.Product<float>>);
        Set(all, type, ReduceOperator.Min, FoldSmall<TForm, Folds.Min<float>>);
        Set(all, type, ReduceOperator.Max, FoldSmall<TForm, Folds.Max<float>>);
    }

    private static void Set(FoldKernel?[,] all, ElementType type, ReduceOperator operation, FoldKernel kernel) =>
        all[(int)type, (int)operation] = kernel;

    private static void Fold<T, TFold>(Span<byte> into, ReadOnlySpan<byte> other)
        where T : unmanaged
        where TFold : IFold<T>
    {
        int whole = Vector<byte>.Count,
            at = 0;
        for (; at <= into.Length - whole; at += whole)
        {
            Span<byte> place = into.Slice(at, whole);
            Many<T, TFold>(place, other.Slice(at, whole));
        }

        if (at < into.Length)
        {
            Span<byte> left = stackalloc byte[whole],
                right = stackalloc byte[whole];
            left.Clear();
            right.Clear();
            into[at..].CopyTo(left);
            other[at..].CopyTo(right);
            Many<T, TFold>(left, right);
            left[..(into.Length - at)].CopyTo(into[at..]);
        }
    }

    private static void Many<T, TFold>(Span<byte> left, ReadOnlySpan<byte> right)
        where T : unmanaged
        where TFold : IFold<T> =>
        MemoryMarshal.Write(
            left,
            TFold.Many(MemoryMarshal.Read<Vector<T>>(left), MemoryMarshal.Read<Vector<T>>(right))
        );

    private static void FoldSmall<TForm, TFold>(Span<byte> into, ReadOnlySpan<byte> other)
        where TForm : ISmallFloat
        where TFold : IFold<float>
    {
        Span<float> left = stackalloc float[Half16],
            right = stackalloc float[Half16];
        for (int at = 0; at < into.Length; at += Half16 * sizeof(ushort))
        {
            int bytes = Math.Min(Half16 * sizeof(ushort), into.Length - at);
            Span<ushort> place = MemoryMarshal.Cast<byte, ushort>(into.Slice(at, bytes));
            ReadOnlySpan<ushort> from = MemoryMarshal.Cast<byte, ushort>(other.Slice(at, bytes));
            left.Clear();
            right.Clear();
            for (int i = 0; i < place.Length; i++)
            {
                (left[i], right[i]) = (TForm.Widen(place[i]), TForm.Widen(from[i]));
            }

            Fold<float, TFold>(MemoryMarshal.AsBytes(left), MemoryMarshal.AsBytes(right));
            for (int i = 0; i < place.Length; i++)
            {
                place[i] = TForm.Round(left[i]);
            }
        }
    }
}
