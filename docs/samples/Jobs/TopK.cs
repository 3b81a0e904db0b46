using System.Buffers.Text;
using CamCube.Services.Camdoop;

namespace Jobs;

/// <summary>The lines with the largest numbers before their tab: lists of them become one at every server on the way,
/// none longer than it may be.</summary>
public static class TopK
{
    /// <summary>The variable of the job's environment that says how many; 10 without it.</summary>
    public const string Most = "MOST";

    /// <summary>A line is a list of one.</summary>
    public sealed class Lists : IMapper
    {
        private byte[] _list = [];

        /// <inheritdoc/>
        public void Map(ReadOnlySpan<byte> record, IEmitter output)
        {
            _list = _list.Length <= record.Length ? new byte[2 * (record.Length + 1)] : _list;
            record.CopyTo(_list);
            _list[record.Length] = (byte)'\n';
            output.Emit("top"u8, _list.AsSpan(0, record.Length + 1));
        }
    }

    /// <summary>The first of two lists, the largest number first.</summary>
    public sealed class Merge(FunctionTerms terms) : ICombiner, IReducer
    {
        private readonly int _most = int.Parse(terms.Environment.GetValueOrDefault(Most, "10"));
        private byte[] _sum = new byte[64 << 10];
        private byte[] _other = new byte[64 << 10];
        private int _length;

        /// <inheritdoc/>
        public int Combine(ReadOnlySpan<byte> key, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result)
        {
            int written = 0;
            for (int i = 0; i < _most && (!left.IsEmpty || !right.IsEmpty); i++)
            {
                bool isLeft = right.IsEmpty || (!left.IsEmpty && NumberOf(left) >= NumberOf(right));
                ReadOnlySpan<byte> next = isLeft ? left : right;
                int length = next.IndexOf((byte)'\n') + 1;
                if (!next[..length].TryCopyTo(result[written..]))
                {
                    return -1;
                }

                written += length;
                left = isLeft ? left[length..] : left;
                right = isLeft ? right : right[length..];
            }

            return written;
        }

        /// <inheritdoc/>
        public void Reduce(ReadOnlySpan<byte> key, ReduceValues values, IEmitter output)
        {
            _length = values.IsFirst ? 0 : _length;
            foreach (ReadOnlySpan<byte> value in values)
            {
                _length = Combine(key, _sum.AsSpan(0, _length), value, _other);
                (_sum, _other) = (_other, _sum);
            }

            if (values.IsLast)
            {
                output.Emit(_sum.AsSpan(0, _length - 1), default);
            }
        }

        private static long NumberOf(ReadOnlySpan<byte> list) =>
            Utf8Parser.TryParse(list, out long number, out _) ? number : long.MinValue;
    }
}
