using System.Buffers.Binary;
using CamCube.Services.Collectives.Wire;

namespace CamCube.Services.Collectives.Measuring;

/// <summary>
/// What a member gives in a measurement, and what it must get: whole numbers so small that every type has the result
/// exactly, in any order. They begin again after a prime number of elements, so what was moved by a block is found, and
/// filling and comparing cost what copying does. It touches nothing of a server: for threads of their own.
/// </summary>
/// <param name="terms">What is measured.</param>
/// <param name="rank">Of this member.</param>
internal sealed class VectorModel(MeasureTerms terms, int rank)
{
    private const int Period = 4_093;

    // bfloat16 has all whole numbers up to 256: no more than so many members give something in one place.
    private const int MostAdded = 64;
    private const int MostDoubled = 6;
    private const int Values = 100;

    private readonly int _size = ElementTypes.SizeOf(terms.Type);
    private byte[]? _given;
    private byte[]? _result;

    private int Count => terms.Members.Length;

    /// <summary>Makes a vector what this member gives.</summary>
    public void Fill(Span<byte> vector)
    {
        _given ??= PatternOf(at => ValueOf(rank, at));
        for (int at = 0; at < vector.Length; at += _given.Length)
        {
            int length = Math.Min(_given.Length, vector.Length - at);
            _given.AsSpan(0, length).CopyTo(vector[at..]);
        }
    }

    /// <summary>Elements of a result that are not what they must be, of those that this member gets.</summary>
    public long WrongOf(ReadOnlySpan<byte> vector)
    {
        int part = vector.Length / Count;
        switch (terms.Kind)
        {
            case OperationKind.AllReduce:
                return Differing(vector, 0, Result());
            case OperationKind.Reduce:
                return rank == 0 ? Differing(vector, 0, Result()) : 0;
            case OperationKind.Broadcast:
                return Differing(vector, 0, _result ??= PatternOf(at => ValueOf(0, at)));
            case OperationKind.ReduceScatter:
                return Differing(vector.Slice(rank * part, part), rank * part, Result());
            case OperationKind.AllGather:
                long wrong = 0;
                for (int from = 0; from < Count; from++)
                {
                    byte[] given = PatternOf(at => ValueOf(from, at));
                    wrong += Differing(vector.Slice(from * part, part), from * part, given);
                }

                return wrong;
            default:
                return 0;
        }
    }

    private byte[] Result() => _result ??= PatternOf(ResultAt);

    private long ResultAt(int at)
    {
        long result = ValueOf(0, at);
        for (int member = 1; member < Count; member++)
        {
            long value = ValueOf(member, at);
            result = terms.Operator switch
            {
                ReduceOperator.Sum => result + value,
                ReduceOperator.Product => result * value,
                ReduceOperator.Min => Math.Min(result, value),
                ReduceOperator.Max => Math.Max(result, value),
                ReduceOperator.And => result & value,
                ReduceOperator.Or => result | value,
                _ => result ^ value,
            };
        }

        return result;
    }

    private long ValueOf(int member, int at) =>
        terms.Operator switch
        {
            ReduceOperator.Sum => IsItsTurn(member, at, MostAdded) ? (at + (3 * member)) % 4 : 0,
            ReduceOperator.Product => IsItsTurn(member, at, MostDoubled) ? 2 : 1,
            ReduceOperator.And => sbyte.MaxValue ^ (IsItsTurn(member, at, MostDoubled) ? 1 << (at % 7) : 0),
            _ => (at + (5L * member)) % Values,
        };

    // Each member has its places.
    private bool IsItsTurn(int member, int at, int most) => (at + member) % ((Count + most - 1) / most) == 0;

    private byte[] PatternOf(Func<int, long> valueAt)
    {
        byte[] pattern = new byte[Period * _size];
        for (int at = 0; at < Period; at++)
        {
            Write(pattern.AsSpan(at * _size), valueAt(at));
        }

        return pattern;
    }

    private void Write(Span<byte> to, long value)
    {
        switch (terms.Type)
        {
            case ElementType.Float16:
                BinaryPrimitives.WriteHalfLittleEndian(to, (Half)value);
                break;
            case ElementType.Float32:
                BinaryPrimitives.WriteSingleLittleEndian(to, value);
                break;
            case ElementType.Float64:
                BinaryPrimitives.WriteDoubleLittleEndian(to, value);
                break;
            case ElementType.BFloat16:
                uint bits = BitConverter.SingleToUInt32Bits(value);
                BinaryPrimitives.WriteUInt16LittleEndian(to, (ushort)(bits >> 16));
                break;
            default:
                Span<byte> whole = stackalloc byte[sizeof(long)];
                BinaryPrimitives.WriteInt64LittleEndian(whole, value);
                whole[.._size].CopyTo(to);
                break;
        }
    }

    // What begins at a byte of the whole vector, and what its elements must be.
    private long Differing(ReadOnlySpan<byte> vector, int begins, byte[] pattern)
    {
        long differing = 0;
        for (int at = 0; at < vector.Length; )
        {
            int from = (begins + at) % pattern.Length,
                length = Math.Min(pattern.Length - from, vector.Length - at);
            ReadOnlySpan<byte> got = vector.Slice(at, length),
                must = pattern.AsSpan(from, length);
            for (int i = got.CommonPrefixLength(must) / _size * _size; i < length; i += _size)
            {
                differing += got.Slice(i, _size).SequenceEqual(must.Slice(i, _size)) ? 0 : 1;
            }

            at += length;
        }

        return differing;
    }
}
