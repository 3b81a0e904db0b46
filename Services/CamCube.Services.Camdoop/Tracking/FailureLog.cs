namespace CamCube.Services.Camdoop.Tracking;

/// <summary>The newest attempts that failed, as many and as much of their words as one report of a job has room for.
/// Loop only.</summary>
internal sealed class FailureLog
{
    private const int ShortText = 2_048;
    private readonly List<AttemptFailure> _failures = [];

    /// <summary>Them, the newest last.</summary>
    public IReadOnlyList<AttemptFailure> ToList() => [.. _failures];

    /// <summary>Adds one.</summary>
    public void Add(AttemptFailure failure)
    {
        if (_failures.Count == JobState.MostFailures)
        {
            _failures.RemoveAt(0);
        }

        // All of the last text, and the ends of those before.
        if (_failures is [.., { ErrorText.Length: > ShortText } before])
        {
            _failures[^1] = before with { ErrorText = before.ErrorText[^ShortText..] };
        }

        _failures.Add(failure);
    }
}
