namespace CamCube;

/// <summary>The answer of work off the loop.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Value">What it returned; the default unless <see cref="OffloadStatus.Done"/>.</param>
/// <param name="Error">What it threw; null unless <see cref="OffloadStatus.Failed"/>.</param>
public readonly record struct OffloadResult<T>(OffloadStatus Status, T? Value, Exception? Error)
{
    /// <summary>Whether it returned.</summary>
    public bool IsDone => Status == OffloadStatus.Done;
}
