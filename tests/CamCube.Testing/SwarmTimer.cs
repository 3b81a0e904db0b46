namespace CamCube.Testing;

/// <summary>A time that a scenario waits for.</summary>
internal sealed class SwarmTimer
{
    private readonly TaskCompletionSource _end = new();

    /// <summary>Ends when it is due.</summary>
    public Task Task => _end.Task;

    /// <summary>It has ended, or nobody waits for it any more.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Nobody waits for it any more.</summary>
    public void Cancel() => IsOver = true;

    /// <summary>It is due.</summary>
    public void End()
    {
        IsOver = true;
        _end.TrySetResult();
    }
}
