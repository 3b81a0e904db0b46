namespace CamCube.Runtime.Workers;

/// <summary>Work off the loop of one instance of a service. Loop only.</summary>
internal sealed class ServiceWork(IWorkOwner owner) : IServerWork
{
    public ValueTask<OffloadResult<TResult>> OffloadAsync<TState, TResult>(
        Func<TState, CancellationToken, TResult> work,
        TState state,
        OffloadOptions options
    )
    {
        ArgumentNullException.ThrowIfNull(work);
        TimeSpan deadline = options.CheckedDeadline();
        if (owner.IsStopped)
        {
            return new ValueTask<OffloadResult<TResult>>(
                new OffloadResult<TResult>(OffloadStatus.Stopped, default, null)
            );
        }

        OffloadCall<TState, TResult> call = owner
            .Jobs.PoolOf<OffloadCall<TState, TResult>>()
            .TryPop(out OffloadCall<TState, TResult>? pooled)
            ? pooled
            : new OffloadCall<TState, TResult>(owner);
        return call.Start(work, state, options, deadline);
    }
}
