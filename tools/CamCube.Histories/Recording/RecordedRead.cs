namespace CamCube.Histories.Recording;

/// <summary>A question that a client has begun. One who never ends it was told nothing.</summary>
/// <typeparam name="T">What it is told.</typeparam>
public sealed class RecordedRead<T>
{
    private readonly Action<T?> _end;
    private bool _hasEnded;

    internal RecordedRead(Action<T?> end) => _end = end;

    /// <summary>The client was told something, now.</summary>
    /// <param name="answer">Done; any other answer says nothing, and is not looked at.</param>
    /// <param name="value">What it was told.</param>
    /// <exception cref="InvalidOperationException">It has ended before.</exception>
    public void End(HistoryAnswer answer, T? value)
    {
        if (_hasEnded)
        {
            throw new InvalidOperationException("This operation has ended before: each ends once.");
        }

        _hasEnded = true;
        if (answer == HistoryAnswer.Done)
        {
            _end(value);
        }
    }
}
