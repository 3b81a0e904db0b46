using System.Buffers.Text;
using CamCube.Services.Camdoop;

namespace Jobs;

/// <summary>A round of PageRank on lines of page, rank and the pages it points to, with tabs between the three and
/// commas between pages: the output is the next round's input. Ranks are whole numbers, so that sums do not depend on
/// where they are made.</summary>
public static class PageRank
{
    /// <summary>The variable of the job's environment with what each page has anyway, of 100; 15 without it.</summary>
    public const string Base = "BASE";

    /// <summary>What all pages have on average.</summary>
    public const long Unit = 1_000_000_000;

    /// <summary>A page's rank goes to those it points to, in equal parts, or to itself if it points to none.</summary>
    public sealed class Give : IMapper
    {
        private readonly byte[] _part = new byte[20];
        private byte[] _links = new byte[256];

        /// <inheritdoc/>
        public void Map(ReadOnlySpan<byte> record, IEmitter output)
        {
            int tab = record.IndexOf((byte)'\t');
            ReadOnlySpan<byte> behind = record[(tab + 1)..];
            _ = Utf8Parser.TryParse(behind, out long rank, out int digits);
            ReadOnlySpan<byte> links = behind.Length > digits + 1 ? behind[(digits + 1)..] : record[..tab];
            _links = _links.Length < links.Length + 2 ? new byte[2 * (links.Length + 2)] : _links;
            "0\t"u8.CopyTo(_links);
            links.CopyTo(_links.AsSpan(2));
            output.Emit(record[..tab], _links.AsSpan(0, links.Length + 2));
            Utf8Formatter.TryFormat(rank / (links.Count((byte)',') + 1), _part, out int length);
            foreach (Range range in links.Split((byte)','))
            {
                output.Emit(links[range], _part.AsSpan(0, length));
            }
        }
    }

    /// <summary>Adds up what pages give, and keeps where they point to.</summary>
    public sealed class Take(FunctionTerms terms) : ICombiner, IReducer
    {
        private readonly long _base = long.Parse(terms.Environment.GetValueOrDefault(Base, "15"));
        private byte[] _sum = new byte[8 << 10];
        private byte[] _other = new byte[8 << 10];
        private int _length;

        /// <inheritdoc/>
        public int Combine(ReadOnlySpan<byte> key, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result)
        {
            _ = Utf8Parser.TryParse(left, out long sum, out int first);
            _ = Utf8Parser.TryParse(right, out long more, out int second);
            Utf8Formatter.TryFormat(sum + more, result, out int length);
            ReadOnlySpan<byte> links = left.Length > first ? left[first..] : right[second..];
            return links.TryCopyTo(result[length..]) ? length + links.Length : -1;
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
                _ = Utf8Parser.TryParse(_sum, out long sum, out int digits);
                Utf8Formatter.TryFormat((_base * Unit / 100) + ((100 - _base) * sum / 100), _other, out int length);
                _sum.AsSpan(digits.._length).CopyTo(_other.AsSpan(length));
                output.Emit(key, _other.AsSpan(0, length + _length - digits));
            }
        }
    }
}
