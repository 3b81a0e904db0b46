using System.Diagnostics;
using CamCube.Runtime;

namespace CamCube.Shim.Udp.Tests.Ports;

/// <summary>What servers with threads of their own tell, and waiting for it. A time-out says what was
/// awaited.</summary>
internal sealed class CubeEvents : IServerEvents
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private readonly SemaphoreSlim _changed = new(0);
    private readonly List<string> _news = [];

    public IReadOnlyList<string> News
    {
        get
        {
            lock (_news)
            {
                return [.. _news];
            }
        }
    }

    public void Tell(LinkNews news)
    {
        lock (_news)
        {
            _news.Add($"{(news.IsFault ? "fault" : "mended")}: {news.Text}");
        }

        _changed.Release();
    }

    public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
        Tell(new LinkNews(true, $"{service} at {server}: {exception}"));

    public void ServiceRestarted(Coordinate server, string service) => _changed.Release();

    public void TopologyChanged(Coordinate server, TopologyChange change) => _changed.Release();

    public async Task Until(Func<bool> condition, string what)
    {
        long begin = Stopwatch.GetTimestamp();
        while (!condition())
        {
            Assert.True(Stopwatch.GetElapsedTime(begin) < Generous, $"{what}. News: {string.Join("; ", News)}");

            // A status may change a moment after the event, so the condition is looked at again after a while too.
            await _changed.WaitAsync(TimeSpan.FromMilliseconds(20));
        }
    }
}
