namespace CamCube.TestServices.FrontEnds;

/// <summary>A front end that nobody reaches.</summary>
public abstract class QuietFrontEnd : IFrontEnd
{
    /// <inheritdoc/>
    public virtual string? ReadyText => null;

    /// <inheritdoc/>
    public virtual ValueTask StartAsync(FrontEndEndpoint endpoint, CancellationToken cancel) => ValueTask.CompletedTask;

    /// <inheritdoc/>
    public ValueTask DrainAsync(CancellationToken cancel) => ValueTask.CompletedTask;

    /// <inheritdoc/>
    public ValueTask StopAsync() => ValueTask.CompletedTask;

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        return ValueTask.CompletedTask;
    }
}
