namespace CamCube.Services.Camdoop.Records;

/// <summary>Makes one value of two with one key. Associative, and the same wherever it is done. Any thread.</summary>
internal interface IPairCombiner
{
    /// <summary>Combines two values.</summary>
    /// <param name="key">The record's key.</param>
    /// <param name="left">The value that comes first.</param>
    /// <param name="right">The other one.</param>
    /// <param name="result">Room for the result.</param>
    /// <returns>Bytes of it; less than 0: it has no room.</returns>
    int Combine(ReadOnlySpan<byte> key, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result);
}
