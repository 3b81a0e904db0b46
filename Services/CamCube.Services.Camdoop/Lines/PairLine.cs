using System.Text;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Camdoop.Lines;

/// <summary>Lines of output as keys and values of the key-value store. Any thread.</summary>
internal sealed class PairLine
{
    // Enough to know a key of a service by.
    private const int BeginBytes = 16;
    private readonly byte[] _prefix;
    private readonly byte[] _separator;
    private readonly int _keyFields;

    /// <summary>Lines of a job.</summary>
    /// <param name="job">The job.</param>
    /// <param name="pairs">Where its pairs go.</param>
    public PairLine(JobDescription job, JobPairs pairs)
    {
        JobText text = job.Text;
        bool isMapOnly = job.Reduces == 0;
        _prefix = Encoding.UTF8.GetBytes(pairs.Prefix);
        _separator = Encoding.UTF8.GetBytes(isMapOnly ? text.MapOutputSeparator : text.ReduceOutputSeparator);
        _keyFields = isMapOnly ? text.MapOutputKeyFields : text.ReduceOutputKeyFields;
    }

    /// <summary>Why a line is no pair that can be put, in words; null: it is one.</summary>
    /// <param name="line">The line, without its end.</param>
    /// <param name="mostValue">Most bytes of a value.</param>
    public string? WrongOf(ReadOnlySpan<byte> line, int mostValue)
    {
        ReadOnlySpan<byte> key = KeyIn(line);
        Span<byte> begin = stackalloc byte[BeginBytes];
        int prefix = Math.Min(_prefix.Length, BeginBytes);
        _prefix.AsSpan(0, prefix).CopyTo(begin);
        int more = Math.Min(key.Length, BeginBytes - prefix);
        key[..more].CopyTo(begin[prefix..]);
        return ServiceKeys.Contain(begin[..(prefix + more)])
                ? "a key of the output is one of those under which services keep their own "
                    + $"({Encoding.UTF8.GetString(begin[..(prefix + more)])})"
            : _prefix.Length + key.Length == 0 ? "a pair of the output has an empty key, and no prefix"
            : _prefix.Length + key.Length > KeyValueKey.MostBytes
                ? $"a key of the output has {key.Length:N0} bytes; with its prefix {KeyValueKey.MostBytes:N0} are "
                    + "allowed"
            : ValueIn(line, key.Length).Length > mostValue
                ? $"a value of the output has more than {mostValue:N0} bytes (CamCube:Services:kv:MaxValueLength)"
            : null;
    }

    /// <summary>The key, with its prefix, and the value. Allocates.</summary>
    public (byte[] Key, byte[] Value) Cut(ReadOnlySpan<byte> line)
    {
        ReadOnlySpan<byte> key = KeyIn(line);
        return ([.. _prefix, .. key], ValueIn(line, key.Length).ToArray());
    }

    private ReadOnlySpan<byte> KeyIn(ReadOnlySpan<byte> line) => Fields.First(line, _separator, _keyFields);

    private ReadOnlySpan<byte> ValueIn(ReadOnlySpan<byte> line, int key) =>
        key < line.Length ? line[(key + _separator.Length)..] : [];
}
