using CamCube.Services.Camdoop.Records;

namespace CamCube.Services.Camdoop.Functions;

/// <summary>Combines values of keys that say how: at map tasks, and at every vertex on the way. Any thread.</summary>
internal sealed class AggregateCombiner : IPairCombiner
{
    /// <summary>The one there is.</summary>
    public static AggregateCombiner Instance { get; } = new();

    /// <inheritdoc/>
    public int Combine(ReadOnlySpan<byte> key, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result)
    {
        // A key that is too long to travel goes before each value.
        int prefix = key.Length == KeyForm.LongKey ? KeyForm.PrefixOf(left) : 0;
        if (prefix < 0 || prefix > right.Length || prefix > result.Length)
        {
            return -1;
        }

        AggregateKind kind = AggregateKeys.Read(key, out _);
        left[..prefix].CopyTo(result);
        int length = AggregateValues.Combine(kind, left[prefix..], right[prefix..], result[prefix..]);
        return length < 0 ? length : prefix + length;
    }
}
