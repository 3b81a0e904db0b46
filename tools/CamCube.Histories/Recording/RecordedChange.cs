namespace CamCube.Histories.Recording;

/// <summary>A change that a client has begun. One who never ends it was told nothing: it happened once or
/// never.</summary>
public sealed class RecordedChange
{
    private readonly Action<HistoryAnswer> _end;
    private bool _hasEnded;

    internal RecordedChange(Action<HistoryAnswer> end) => _end = end;

    /// <summary>The client was told what came of it, now.</summary>
    /// <param name="answer">Done; Unavailable: it was not done and never will be; Unknown: nobody knows.</param>
    /// <exception cref="ArgumentOutOfRangeException">Another answer.</exception>
    /// <exception cref="InvalidOperationException">It has ended before.</exception>
    public void End(HistoryAnswer answer)
    {
        if (answer is not (HistoryAnswer.Done or HistoryAnswer.Unavailable or HistoryAnswer.Unknown))
        {
            throw new ArgumentOutOfRangeException(nameof(answer), answer, "A change is done, not done, or unknown.");
        }

        if (_hasEnded)
        {
            throw new InvalidOperationException("This operation has ended before: each ends once.");
        }

        _hasEnded = true;
        _end(answer);
    }
}
