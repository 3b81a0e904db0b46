using System.Buffers.Text;
using CamCube.Services.Camdoop;

namespace Jobs;

/// <summary>How often each word is there: added up at every server on the way, so that no cable carries a word
/// twice.</summary>
public static class WordCount
{
    /// <summary>A 1 for each word.</summary>
    public sealed class Words : IMapper
    {
        /// <inheritdoc/>
        public void Map(ReadOnlySpan<byte> record, IEmitter output)
        {
            foreach (Range range in record.SplitAny(" \t"u8))
            {
                if (record[range] is { IsEmpty: false } word)
                {
                    output.Emit(word, "1"u8);
                }
            }
        }
    }

    /// <summary>The sum of numbers.</summary>
    public sealed class Sum : ICombiner, IReducer
    {
        private readonly byte[] _text = new byte[20];
        private long _sum;

        /// <inheritdoc/>
        public int Combine(
            ReadOnlySpan<byte> key,
            ReadOnlySpan<byte> left,
            ReadOnlySpan<byte> right,
            Span<byte> result
        ) => Utf8Formatter.TryFormat(NumberOf(left) + NumberOf(right), result, out int length) ? length : -1;

        /// <inheritdoc/>
        public void Reduce(ReadOnlySpan<byte> key, ReduceValues values, IEmitter output)
        {
            // Of a key with many values they come in parts.
            _sum = values.IsFirst ? 0 : _sum;
            foreach (ReadOnlySpan<byte> value in values)
            {
                _sum += NumberOf(value);
            }

            if (values.IsLast)
            {
                Utf8Formatter.TryFormat(_sum, _text, out int length);
                output.Emit(key, _text.AsSpan(0, length));
            }
        }

        private static long NumberOf(ReadOnlySpan<byte> text) =>
            Utf8Parser.TryParse(text, out long number, out _) ? number : throw new FormatException("It is no number.");
    }
}
