using System.Threading.Tasks.Sources;

namespace CamCube.Services.Distribution.Pieces;

/// <summary>An operation that waits for its turn. Used again, so that none allocates. Loop only.</summary>
internal sealed class DiskTurn : IValueTaskSource
{
    private ManualResetValueTaskSourceCore<bool> _core;

    /// <summary>Bytes that it reads or writes.</summary>
    public int Bytes { get; private set; }

    /// <summary>Waits for it; to be awaited at once, without the context.</summary>
    public ValueTask WaitAsync(int bytes)
    {
        Bytes = bytes;
        _core.Reset();
        return new ValueTask(this, _core.Version);
    }

    /// <summary>It is its turn: it goes on within the call.</summary>
    public void Begin() => _core.SetResult(true);

    void IValueTaskSource.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource.OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    ) => _core.OnCompleted(continuation, state, token, flags);
}
