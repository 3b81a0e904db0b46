namespace CamCube.Services.Camdoop;

/// <summary>
/// Makes one value of two with one key: at map tasks, and at every server that pairs meet at on their way. Associative,
/// ((a, b), c) is (a, (b, c)), and it gives the same whenever it gets the same. See <see cref="IMapper"/> for
/// constructors, threads and errors; one instance for each attempt and for each vertex of a tree.
/// </summary>
public interface ICombiner
{
    /// <summary>Combines two values.</summary>
    /// <param name="key">Their key, valid for the call; of keys that compare equal where parts of them are sorted by,
    /// that of the first value, which the result has.</param>
    /// <param name="left">The one that comes first, valid for the call.</param>
    /// <param name="right">The other one, valid for the call.</param>
    /// <param name="result">Room for the result: all that a pair of the key may have.</param>
    /// <returns>Bytes of the result; less than 0: it has no room, which fails the job, as more than there is room
    /// for.</returns>
    int Combine(ReadOnlySpan<byte> key, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, Span<byte> result);
}
