namespace CamCube.Trees;

/// <summary>What records of one input come before: the least that all other inputs have.</summary>
/// <param name="key">Its key; empty: no other input has any more.</param>
/// <param name="isAfterEqual">Whether records of that key come before it, too.</param>
internal readonly ref struct RecordBound(ReadOnlySpan<byte> key, bool isAfterEqual)
{
    private readonly ReadOnlySpan<byte> _key = key;
    private readonly bool _isAfterEqual = isAfterEqual;

    /// <summary>Whether a record of a key comes before it.</summary>
    public bool IsBehind(ReadOnlySpan<byte> key)
    {
        int order = _key.IsEmpty ? -1 : RecordFormat.Compare(key, _key);
        return order < 0 || (order == 0 && _isAfterEqual);
    }
}
