using System.Threading.Tasks.Sources;

namespace CamCube.Services.KeyValue.Values;

/// <summary>Somebody who waits for a slot. Loop only; awaited once.</summary>
internal sealed class SlotWait : IValueTaskSource<byte[]?>
{
    private ManualResetValueTaskSourceCore<byte[]?> _core;

    public ValueTask<byte[]?> Task => new(this, _core.Version);

    public void End(byte[]? slot) => _core.SetResult(slot);

    byte[]? IValueTaskSource<byte[]?>.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<byte[]?>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<byte[]?>.OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    ) => _core.OnCompleted(continuation, state, token, flags);
}
