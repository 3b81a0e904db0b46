namespace CamCube.Shim.Switch.Connections;

/// <summary>Lines for people, each kind once in a minute at most: whoever knocks does not fill the log. Loop
/// only.</summary>
/// <param name="news">Takes them.</param>
internal sealed class SwitchNews(Action<LinkNews> news)
{
    private const long PauseNanos = 60_000_000_000;
    private const int MostKinds = 1_024;
    private readonly Dictionary<string, long> _saidAt = [];

    /// <summary>Says it, if it was not said of late.</summary>
    /// <param name="kind">What is said once: without what strangers choose.</param>
    /// <param name="text">The line.</param>
    /// <param name="now">Server time.</param>
    public void Say(string kind, string text, long now)
    {
        if (_saidAt.TryGetValue(kind, out long said) && now - said < PauseNanos)
        {
            return;
        }

        if (_saidAt.Count >= MostKinds)
        {
            _saidAt.Clear();
        }

        _saidAt[kind] = now;
        news(new LinkNews(true, text));
    }
}
