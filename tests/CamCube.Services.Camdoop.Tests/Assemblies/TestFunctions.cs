using System.Buffers.Text;

namespace CamCube.Services.Camdoop.Tests.Assemblies;

/// <summary>Functions of jobs in C#, good and hostile; loaded by the service like anybody's.</summary>
public static class TestFunctions
{
    public static string NameOf<T>() => typeof(T).FullName!;

    /// <summary>Words with a 1 each.</summary>
    public sealed class Words : IMapper
    {
        public void Map(ReadOnlySpan<byte> record, IEmitter output)
        {
            output.Count("words", "lines");
            output.Count("Map-Reduce Framework", "Map input records", 1_000_000);
            foreach (Range range in record.Split((byte)' '))
            {
                if (record[range] is { IsEmpty: false } word)
                {
                    output.Emit(word, "1"u8);
                }
            }
        }
    }

    /// <summary>Sums of decimal numbers.</summary>
    public sealed class Sum : ICombiner, IReducer
    {
        private readonly byte[] _text = new byte[20];
        private long _sum;

        public int Combine(
            ReadOnlySpan<byte> key,
            ReadOnlySpan<byte> left,
            ReadOnlySpan<byte> right,
            Span<byte> result
        ) => Utf8Formatter.TryFormat(NumberOf(left) + NumberOf(right), result, out int length) ? length : -1;

        public void Reduce(ReadOnlySpan<byte> key, ReduceValues values, IEmitter output)
        {
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
            Utf8Parser.TryParse(text, out long number, out _) ? number : throw new FormatException("no number");
    }

    /// <summary>Gives what it gets, whole lines; of the reduce all values of a key, a line each.</summary>
    public sealed class Same : IMapper, IReducer
    {
        private long _records;

        public void Map(ReadOnlySpan<byte> record, IEmitter output)
        {
            int tab = record.IndexOf((byte)'\t');
            output.Emit(tab < 0 ? record : record[..tab], tab < 0 ? default : record[(tab + 1)..]);
            _records++;
        }

        public void Complete(IEmitter output)
        {
            if (_records < 0)
            {
                output.Emit("never"u8, default);
            }
        }

        public void Reduce(ReadOnlySpan<byte> key, ReduceValues values, IEmitter output)
        {
            foreach (ReadOnlySpan<byte> value in values)
            {
                output.Emit(key, value);
            }
        }
    }

    /// <summary>By the first letter, as the environment says.</summary>
    public sealed class ByLetter(FunctionTerms terms) : IPartitioner
    {
        private readonly byte _from = (byte)terms.Environment["FROM"][0];

        public int Partition(ReadOnlySpan<byte> key, int reduces) => key.IsEmpty || key[0] < _from ? 0 : reduces - 1;
    }

    public sealed class OutOfRange : IPartitioner
    {
        public int Partition(ReadOnlySpan<byte> key, int reduces) => reduces;
    }

    public sealed class Throws : IMapper, ICombiner, IReducer, IPartitioner
    {
        public void Map(ReadOnlySpan<byte> record, IEmitter output) => throw new InvalidOperationException("it is so");

        public int Combine(
            ReadOnlySpan<byte> key,
            ReadOnlySpan<byte> left,
            ReadOnlySpan<byte> right,
            Span<byte> result
        ) => throw new InvalidOperationException("it is so");

        public void Reduce(ReadOnlySpan<byte> key, ReduceValues values, IEmitter output) =>
            throw new InvalidOperationException("it is so");

        public int Partition(ReadOnlySpan<byte> key, int reduces) => throw new InvalidOperationException("it is so");
    }

    public sealed class ThrowsWhenMade : IMapper
    {
        public ThrowsWhenMade() => throw new InvalidOperationException("not made");

        public void Map(ReadOnlySpan<byte> record, IEmitter output) { }
    }

    /// <summary>Combines at map tasks, and throws where sums are larger than those can be.</summary>
    public sealed class ThrowsLater : ICombiner
    {
        public int Combine(ReadOnlySpan<byte> key, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result)
        {
            if (left.Length + right.Length > 2)
            {
                throw new InvalidOperationException("too far on the way");
            }

            return new Sum().Combine(key, left, right, result);
        }
    }

    /// <summary>Says that its result has another length than there is room for.</summary>
    public sealed class TooLong : ICombiner
    {
        public int Combine(
            ReadOnlySpan<byte> key,
            ReadOnlySpan<byte> left,
            ReadOnlySpan<byte> right,
            Span<byte> result
        ) => result.Length + 1;
    }

    /// <summary>Writes nothing, and says that it has written as much as the left value has.</summary>
    public sealed class Lazy : ICombiner
    {
        public int Combine(ReadOnlySpan<byte> key, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result)
        {
            left.CopyTo(result);
            return left.Length;
        }
    }

    public sealed class LongKeys : IMapper
    {
        public void Map(ReadOnlySpan<byte> record, IEmitter output) => output.Emit(new byte[100_000], record);
    }

    /// <summary>Gives without end, and catches what stops it.</summary>
    public sealed class Endless : IMapper
    {
        public void Map(ReadOnlySpan<byte> record, IEmitter output)
        {
            for (int i = 0; i < 100_000_000 / 1_000; i++)
            {
                output.Emit("key"u8, new byte[1_000]);
            }
        }
    }

    public sealed class Catches : IMapper
    {
        public void Map(ReadOnlySpan<byte> record, IEmitter output)
        {
            try
            {
                output.Emit(record, record);
            }
            catch (Exception)
            {
                // As if nothing were wrong.
            }
        }
    }

    /// <summary>Never returns, and is not to be used in virtual time.</summary>
    public sealed class Forever : IMapper, ICombiner
    {
        private volatile int _turns;

        public void Map(ReadOnlySpan<byte> record, IEmitter output)
        {
            while (_turns >= 0)
            {
                _turns = 1;
            }
        }

        public int Combine(ReadOnlySpan<byte> key, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result)
        {
            Map(key, null!);
            return 0;
        }
    }

    private sealed class Hidden : IMapper
    {
        public void Map(ReadOnlySpan<byte> record, IEmitter output) { }
    }
}
