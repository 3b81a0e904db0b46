namespace CamCube.Services.Cache.Backing;

/// <summary>Looks every second whether the key-value store is there for the keys that it keeps, so that whoever looks
/// at the cache's health knows before a client is refused.</summary>
internal sealed class BackedHealth
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);
    private readonly BackedStore _store;
    private readonly ServerTimer _timer;
    private volatile string? _words;

    /// <param name="server">The server.</param>
    /// <param name="store">Its store.</param>
    public BackedHealth(IServer server, BackedStore store)
    {
        _store = store;
        _timer = server.CreateTimer(Look);
    }

    /// <summary>What is not as it should be; null: nothing. Any thread.</summary>
    public string? Words => _words;

    /// <summary>Begins, if there are such keys. Loop only.</summary>
    public void Start()
    {
        if (_store.Keys.HasAny)
        {
            _timer.Arm(Interval);
        }
    }

    /// <summary>Ends. Loop only.</summary>
    public void Stop() => _timer.Cancel();

    private void Look()
    {
        _words = _store.Unwell;
        _timer.Arm(Interval);
    }
}
