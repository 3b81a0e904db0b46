using System.Numerics;
using System.Runtime.InteropServices;
using CamCube.Services.Collectives.Folding;
using static CamCube.Services.Collectives.ReduceOperator;

namespace CamCube.Services.Collectives.Tests.Folding;

/// <summary>Kernels against plain loops: all types, all operators, all lengths, numbers that are none.</summary>
public sealed class FoldKernelTests
{
    [Fact]
    public void Whole_numbers_are_as_in_a_plain_loop()
    {
        Check<sbyte>(ElementType.Int8);
        Check<short>(ElementType.Int16);
        Check<int>(ElementType.Int32);
        Check<long>(ElementType.Int64);
    }

    [Fact]
    public void Floats_are_as_in_a_plain_loop_but_for_the_bits_of_what_is_no_number()
    {
        CheckFloat(ElementType.Float32, static () => BitConverter.GetBytes(Bits()), Of<float>);
        CheckFloat(
            ElementType.Float64,
            static () => BitConverter.GetBytes((double)BitConverter.UInt32BitsToSingle(Bits()) * 3),
            Of<double>
        );
        CheckFloat(ElementType.Float16, static () => BitConverter.GetBytes((ushort)Bits()), OfHalf);
    }

    [Theory]
    [InlineData(0x3F80, 0x3B80, 0x3F80)] // 1 + 1/256: a tie, to even.
    [InlineData(0x3F81, 0x3B80, 0x3F82)] // The same above an odd one.
    [InlineData(0x7F7F, 0x7F7F, 0x7F80)] // Too large: infinity.
    [InlineData(0x7F80, 0xFF80, 0xFFC0)] // Infinity less infinity.
    [InlineData(0x8000, 0x8000, 0x8000)] // -0 + -0.
    public void Bfloat16_is_added_as_float32_and_rounded_to_even(int left, int right, int sum)
    {
        byte[] into = BitConverter.GetBytes((ushort)left);
        FoldKernels.Of(ElementType.BFloat16, Sum)!(into, BitConverter.GetBytes((ushort)right));
        Assert.Equal(sum, BitConverter.ToUInt16(into, 0));
    }

    [Theory]
    [InlineData(ElementType.Float32)]
    [InlineData(ElementType.Float64)]
    [InlineData(ElementType.Float16)]
    [InlineData(ElementType.BFloat16)]
    public void What_an_element_becomes_does_not_depend_on_where_a_piece_is_cut(ElementType type)
    {
        int size = ElementTypes.SizeOf(type);
        byte[] left = new byte[size * 301],
            right = new byte[size * 301];
        new Random(3).NextBytes(left);
        new Random(4).NextBytes(right);
        foreach (ReduceOperator operation in (ReduceOperator[])[Sum, Product, Min, Max])
        {
            FoldKernel kernel = FoldKernels.Of(type, operation)!;
            byte[] whole = [.. left];
            kernel(whole, right);
            for (int piece = 1; piece < 40; piece++)
            {
                byte[] cut = [.. left];
                for (int at = 0; at < cut.Length; at += piece * size)
                {
                    int length = Math.Min(piece * size, cut.Length - at);
                    kernel(cut.AsSpan(at, length), right.AsSpan(at, length));
                }

                Assert.Equal(whole, cut);
            }
        }
    }

    [Fact]
    public void There_are_no_others()
    {
        Assert.Null(FoldKernels.Of(ElementType.Float32, Xor));
        Assert.Null(FoldKernels.Of(0, Sum));
        Assert.Null(FoldKernels.Of((ElementType)200, Sum));
        Assert.Null(FoldKernels.Of(ElementType.Int8, (ReduceOperator)200));
    }

    private static void Check<T>(ElementType type)
        where T : unmanaged, IBinaryInteger<T>
    {
        foreach (ReduceOperator operation in Enum.GetValues<ReduceOperator>())
        {
            for (int count = 0; count < 70; count++)
            {
                T[] left = new T[count],
                    right = new T[count];
                new Random(count).NextBytes(MemoryMarshal.AsBytes(left.AsSpan()));
                new Random(-count).NextBytes(MemoryMarshal.AsBytes(right.AsSpan()));
                T[] expected = new T[count];
                for (int i = 0; i < count; i++)
                {
                    expected[i] = operation switch
                    {
                        Sum => unchecked(left[i] + right[i]),
                        Product => unchecked(left[i] * right[i]),
                        Min => T.Min(left[i], right[i]),
                        Max => T.Max(left[i], right[i]),
                        And => left[i] & right[i],
                        Or => left[i] | right[i],
                        _ => left[i] ^ right[i],
                    };
                }

                FoldKernels.Of(type, operation)!(
                    MemoryMarshal.AsBytes(left.AsSpan()),
                    MemoryMarshal.AsBytes(right.AsSpan())
                );
                Assert.Equal(expected, left);
            }
        }
    }

    private static readonly Random Draw = new(5);
    private static readonly uint[] Special =
    [
        0,
        0x8000_0000,
        0x7F80_0000,
        0xFF80_0000,
        0x7FC0_0000,
        1,
        0x8000,
        0x7C00,
        0xFC00,
        0x7E00,
    ];

    private static uint Bits() =>
        Draw.Next(3) == 0 ? Special[Draw.Next(Special.Length)] : (uint)Draw.NextInt64(uint.MaxValue);

    private static double Of<T>(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, ReduceOperator operation)
        where T : unmanaged, IFloatingPointIeee754<T>
    {
        (T a, T b) = (MemoryMarshal.Read<T>(left), MemoryMarshal.Read<T>(right));
        return double.CreateChecked(
            operation switch
            {
                Sum => a + b,
                Product => a * b,
                Min => T.Min(a, b),
                _ => T.Max(a, b),
            }
        );
    }

    private static double OfHalf(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, ReduceOperator operation)
    {
        (float a, float b) = ((float)MemoryMarshal.Read<Half>(left), (float)MemoryMarshal.Read<Half>(right));
        return (double)(Half)(float)Of<float>(BitConverter.GetBytes(a), BitConverter.GetBytes(b), operation);
    }

    private delegate double Model(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, ReduceOperator operation);

    private static void CheckFloat(ElementType type, Func<byte[]> draw, Model model)
    {
        int size = ElementTypes.SizeOf(type);
        foreach (ReduceOperator operation in (ReduceOperator[])[Sum, Product, Min, Max])
        {
            byte[] left = [.. Enumerable.Range(0, 997).SelectMany(_ => draw())],
                right = [.. Enumerable.Range(0, 997).SelectMany(_ => draw())],
                into = [.. left];
            FoldKernels.Of(type, operation)!(into, right);
            for (int at = 0; at < into.Length; at += size)
            {
                double expected = model(left.AsSpan(at, size), right.AsSpan(at, size), operation);
                Span<byte> place = into.AsSpan(at, size);
                double value = type switch
                {
                    ElementType.Float32 => MemoryMarshal.Read<float>(place),
                    ElementType.Float64 => MemoryMarshal.Read<double>(place),
                    _ => (double)MemoryMarshal.Read<Half>(place),
                };
                Assert.True(
                    BitConverter.DoubleToInt64Bits(expected) == BitConverter.DoubleToInt64Bits(value)
                        || (double.IsNaN(expected) && double.IsNaN(value)),
                    $"{type} {operation}: {value}, not {expected}"
                );
            }
        }
    }
}
