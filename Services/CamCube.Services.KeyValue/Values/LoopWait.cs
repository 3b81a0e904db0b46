using System.Threading.Tasks.Sources;

namespace CamCube.Services.KeyValue.Values;

/// <summary>Somebody who waits for a result. Loop only; awaited once.</summary>
/// <typeparam name="T">The result.</typeparam>
internal sealed class LoopWait<T> : IValueTaskSource<T>
{
    private ManualResetValueTaskSourceCore<T> _core;

    public ValueTask<T> Task => new(this, _core.Version);

    public void End(T result) => _core.SetResult(result);

    T IValueTaskSource<T>.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<T>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<T>.OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    ) => _core.OnCompleted(continuation, state, token, flags);
}
