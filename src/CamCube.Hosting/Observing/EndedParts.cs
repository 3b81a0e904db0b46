namespace CamCube.Hosting.Observing;

/// <summary>Parts of the host that an error of their own has ended, while servers and services go on. Any
/// thread.</summary>
internal sealed class EndedParts : IHealthSource
{
    private const int Most = 64;
    private readonly Lock _lock = new();
    private readonly List<(Coordinate? Server, HealthReason Reason)> _ended = [];

    /// <summary>A part has ended.</summary>
    /// <param name="server">The server that it was part of, with whose next start it is back; null: it does not come
    /// back.</param>
    /// <param name="reason">What is said of it.</param>
    public void Add(Coordinate? server, HealthReason reason)
    {
        lock (_lock)
        {
            if (_ended.Count < Most)
            {
                _ended.Add((server, reason));
            }
        }
    }

    /// <summary>A server starts again, and with it what it had.</summary>
    public void Forget(Coordinate server)
    {
        lock (_lock)
        {
            _ended.RemoveAll(one => one.Server == server);
        }
    }

    /// <inheritdoc/>
    public IEnumerable<HealthReason> Reasons()
    {
        lock (_lock)
        {
            return [.. _ended.Select(one => one.Reason)];
        }
    }
}
