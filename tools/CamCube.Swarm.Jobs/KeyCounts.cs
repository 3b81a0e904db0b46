using System.Buffers.Text;
using CamCube.Services.Camdoop;

namespace CamCube.Swarm.Jobs;

/// <summary>How often each key is there: what is before the tab of a line.</summary>
public static class KeyCounts
{
    /// <summary>A 1 for each line.</summary>
    public sealed class Keys : IMapper
    {
        /// <inheritdoc/>
        public void Map(ReadOnlySpan<byte> record, IEmitter output)
        {
            int tab = record.IndexOf((byte)'\t');
            output.Emit(tab < 0 ? record : record[..tab], "1"u8);
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
            _sum = values.IsFirst ? 0 : _sum;
            foreach (ReadOnlySpan<byte> value in values)
            {
                _sum += NumberOf(value);
            }

            if (values.IsLast)
            {
                _ = Utf8Formatter.TryFormat(_sum, _text, out int length);
                output.Emit(key, _text.AsSpan(0, length));
            }
        }

        private static long NumberOf(ReadOnlySpan<byte> text) =>
            Utf8Parser.TryParse(text, out long number, out _) ? number : throw new FormatException("It is no number.");
    }
}
