namespace CamCube;

/// <summary>The answer of a disk operation that gives something.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Value">What it gave; the default unless <see cref="DiskStatus.Done"/>.</param>
public readonly record struct DiskResult<T>(DiskStatus Status, T? Value)
{
    /// <summary>Whether it ended as asked.</summary>
    public bool IsDone => Status == DiskStatus.Done;
}
