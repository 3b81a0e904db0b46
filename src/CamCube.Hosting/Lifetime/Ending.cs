namespace CamCube.Hosting.Lifetime;

/// <summary>Disposes a part within a short time, or leaves it: a service that blocks its loop must not keep the process
/// from ending. The threads of servers are background threads.</summary>
internal sealed class Ending(IAsyncDisposable part, TimeProvider time) : IAsyncDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromMilliseconds(100);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        try
        {
            await part.DisposeAsync().AsTask().WaitAsync(Limit, time);
        }
        catch (TimeoutException)
        {
            // The stage before has said that it did not stop.
        }
    }
}
