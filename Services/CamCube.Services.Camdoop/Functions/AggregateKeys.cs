namespace CamCube.Services.Camdoop.Functions;

/// <summary>Reads what a key says of its values. Any thread.</summary>
internal static class AggregateKeys
{
    /// <summary>How values of the key become one.</summary>
    /// <param name="key">The key, as in <c>LongValueSum:word</c>.</param>
    /// <param name="name">What is behind the colon; all of it, if it says nothing.</param>
    public static AggregateKind Read(ReadOnlySpan<byte> key, out ReadOnlySpan<byte> name)
    {
        int colon = key.IndexOf((byte)':');
        AggregateKind kind = colon < 0 ? AggregateKind.None : KindOf(key[..colon]);
        name = kind == AggregateKind.None ? key : key[(colon + 1)..];
        return kind;
    }

    private static AggregateKind KindOf(ReadOnlySpan<byte> word) =>
        word.SequenceEqual("LongValueSum"u8) ? AggregateKind.LongValueSum
        : word.SequenceEqual("LongValueMax"u8) ? AggregateKind.LongValueMax
        : word.SequenceEqual("LongValueMin"u8) ? AggregateKind.LongValueMin
        : word.SequenceEqual("DoubleValueSum"u8) ? AggregateKind.DoubleValueSum
        : word.SequenceEqual("StringValueMax"u8) ? AggregateKind.StringValueMax
        : word.SequenceEqual("StringValueMin"u8) ? AggregateKind.StringValueMin
        : word.SequenceEqual("UniqValueCount"u8) ? AggregateKind.UniqValueCount
        : word.SequenceEqual("ValueHistogram"u8) ? AggregateKind.ValueHistogram
        : AggregateKind.None;
}
