namespace CamCube.Workers;

/// <summary>One user's share of programs. Any thread.</summary>
/// <param name="pool">The programs.</param>
/// <param name="leave">Ends the share.</param>
internal sealed class ProgramShare(ProgramPool pool, Action leave) : IPrograms
{
    private readonly CancellationTokenSource _closed = new();
    private int _isClosed;

    /// <inheritdoc/>
    public ProgramsSummary Summary => pool.Summary;

    /// <inheritdoc/>
    public ValueTask<ProgramStarted> StartAsync(ProgramStart start, CancellationToken cancel = default) =>
        pool.StartAsync(start, cancel, _closed.Token);

    /// <inheritdoc/>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isClosed, 1) == 0)
        {
            _closed.Cancel();
            leave();
        }
    }
}
