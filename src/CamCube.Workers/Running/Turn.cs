using System.Threading.Tasks.Sources;

namespace CamCube.Workers;

/// <summary>What is awaited again and again, one at a time, without an allocation for each. Who awaits it goes on
/// elsewhere than on the thread that ends it.</summary>
internal sealed class Turn<T> : IValueTaskSource<T>
{
    private ManualResetValueTaskSourceCore<T> _core = new() { RunContinuationsAsynchronously = true };

    /// <summary>The next one. The one before has ended.</summary>
    public ValueTask<T> Begin()
    {
        _core.Reset();
        return new ValueTask<T>(this, _core.Version);
    }

    /// <summary>Ends it.</summary>
    public void End(T result) => _core.SetResult(result);

    /// <inheritdoc/>
    public T GetResult(short token) => _core.GetResult(token);

    /// <inheritdoc/>
    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    /// <inheritdoc/>
    public void OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    ) => _core.OnCompleted(continuation, state, token, flags);
}
