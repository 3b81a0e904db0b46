namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>A gate to a fake cache: calls run one at a time, at once or when the test lets them.</summary>
internal sealed class FakeGate(FakeCache cache) : IServerGate
{
    private readonly Lock _lock = new();
    private readonly List<TaskCompletionSource> _held = [];
    private readonly SemaphoreSlim _arrived = new(0);

    public Coordinate Coordinate => default;

    public TorusShape Shape => default;

    /// <summary>
    /// Whether calls end on the caller's thread before the call returns, go to the pool, or wait for the test.
    /// </summary>
    public GateMode Mode { get; set; }

    /// <summary>Thrown by every call, if set.</summary>
    public Exception? Failure { get; set; }

    public int MostOpen { get; private set; }

    public int HeldCount
    {
        get
        {
            lock (_lock)
            {
                return _held.Count;
            }
        }
    }

    public ValueTask<TResult> CallAsync<TService, TArgument, TResult>(
        LoopCall<TService, TArgument, TResult> call,
        TArgument argument
    )
        where TService : class
    {
        if (Mode != GateMode.Direct)
        {
            return CallLaterAsync(call, argument);
        }

        lock (_lock)
        {
            return Failure is null ? call((TService)(object)cache, argument) : throw Failure;
        }
    }

    public ValueTask<CommandResult> RunCommandAsync(CommandCall call, CancellationToken cancel = default) =>
        throw new NotSupportedException();

    /// <summary>Waits until so many calls are held.</summary>
    public async Task WaitForHeldAsync(int count)
    {
        while (HeldCount < count)
        {
            Assert.True(
                await _arrived.WaitAsync(TimeSpan.FromSeconds(30)),
                $"{HeldCount} of {count} calls arrived at the gate."
            );
        }
    }

    /// <summary>Lets one held call run and end, by its age.</summary>
    public void Release(int index)
    {
        TaskCompletionSource go;
        lock (_lock)
        {
            go = _held[index];
            _held.RemoveAt(index);
        }

        go.SetResult();
    }

    /// <summary>Lets the calls that are held now run, oldest first.</summary>
    public void ReleaseAll()
    {
        for (int left = HeldCount; left > 0; left--)
        {
            Release(0);
        }
    }

    private async ValueTask<TResult> CallLaterAsync<TService, TArgument, TResult>(
        LoopCall<TService, TArgument, TResult> call,
        TArgument argument
    )
        where TService : class
    {
        if (Mode == GateMode.Held)
        {
            var go = new TaskCompletionSource();
            lock (_lock)
            {
                _held.Add(go);
                MostOpen = Math.Max(MostOpen, _held.Count);
            }

            _arrived.Release();
            await go.Task.ConfigureAwait(false);
        }
        else
        {
            await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        }

        lock (_lock)
        {
            return Failure is null ? call((TService)(object)cache, argument).GetAwaiter().GetResult() : throw Failure;
        }
    }
}
