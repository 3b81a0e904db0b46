namespace CamCube.Trees;

/// <summary>How far a sequence of records is taken. Where a vertex combines: all up to and with a key. Where it merges
/// only: all before a key, and so many records of it; "up to and with the key" would lose or double records of
/// it.</summary>
/// <param name="Key">The key; empty, which no record's is, at the beginning.</param>
/// <param name="Taken">Records of the key that are taken.</param>
public readonly record struct MergePosition(ReadOnlyMemory<byte> Key, long Taken)
{
    /// <summary>Nothing is taken.</summary>
    public bool IsBeginning => Key.IsEmpty;
}
