using CamCube.Services.Camdoop;

namespace Jobs;

/// <summary>Sorts lines by their first ten bytes, over all files of the output: the first has the least.</summary>
public static class TeraSort
{
    /// <summary>The variable of the job's environment with the first key of each reduce but the first.</summary>
    public const string Bounds = "BOUNDS";

    private const int KeyBytes = 10;

    /// <summary>What <see cref="Bounds"/> is to be, so that reduces get about as much each.</summary>
    /// <param name="lines">A sample of the input.</param>
    /// <param name="reduces">How many reduces there are.</param>
    public static string BoundsOf(IEnumerable<byte[]> lines, int reduces)
    {
        byte[][] keys = [.. lines.Select(static line => line[..Math.Min(KeyBytes, line.Length)])];
        Array.Sort(keys, static (a, b) => a.AsSpan().SequenceCompareTo(b));
        return string.Join(
            ',',
            Enumerable.Range(1, reduces - 1).Select(r => Convert.ToHexString(keys[r * keys.Length / reduces]))
        );
    }

    /// <summary>The first ten bytes are the key.</summary>
    public sealed class Cut : IMapper
    {
        /// <inheritdoc/>
        public void Map(ReadOnlySpan<byte> record, IEmitter output)
        {
            int length = Math.Min(KeyBytes, record.Length);
            output.Emit(record[..length], record[length..]);
        }
    }

    /// <summary>The reduce whose keys it is among.</summary>
    public sealed class Ranges(FunctionTerms terms) : IPartitioner
    {
        private readonly byte[][] _bounds =
        [
            .. terms
                .Environment.GetValueOrDefault(Bounds, "")
                .Split(',', StringSplitOptions.RemoveEmptyEntries)
                .Select(Convert.FromHexString),
        ];

        /// <inheritdoc/>
        public int Partition(ReadOnlySpan<byte> key, int reduces)
        {
            int reduce = 0;
            while (reduce < _bounds.Length && key.SequenceCompareTo(_bounds[reduce]) >= 0)
            {
                reduce++;
            }

            return reduce;
        }
    }

    /// <summary>Lines as they were.</summary>
    public sealed class Join : IReducer
    {
        private byte[] _line = new byte[256];

        /// <inheritdoc/>
        public void Reduce(ReadOnlySpan<byte> key, ReduceValues values, IEmitter output)
        {
            foreach (ReadOnlySpan<byte> value in values)
            {
                int length = key.Length + value.Length;
                _line = _line.Length < length ? new byte[2 * length] : _line;
                key.CopyTo(_line);
                value.CopyTo(_line.AsSpan(key.Length));
                output.Emit(_line.AsSpan(0, length), default);
            }
        }
    }
}
