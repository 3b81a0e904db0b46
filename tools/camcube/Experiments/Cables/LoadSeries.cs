namespace CamCube.Tool.Experiments.Cables;

/// <summary>Loads so many links of every server of a testbed, and measures (HPDC §4.2.1).</summary>
internal sealed class LoadSeries(MeasuredTestbed testbed, long rateBitsPerSecond, TimeSpan settle, TimeSpan time)
{
    private const int LongerThanAny = 600;

    /// <summary>Links of each server.</summary>
    public int MostLinks { get; } = testbed.Shape.CabledLinks(default).Count;

    /// <summary>Runs everything once, so that no measurement pays for translation.</summary>
    public void WarmUp(int size)
    {
        Begin(MostLinks, size);
        testbed.Sleep(4 * settle);
        End();
    }

    /// <summary>Measures with so many links, 0 to <see cref="MostLinks"/>.</summary>
    public LoadPoint Measure(string series, int links, int size)
    {
        if (links > 0)
        {
            Begin(links, size);
        }

        testbed.Sleep(settle);
        IReadOnlyList<ServerRates> rates = testbed.Measure(time);
        End();
        return new LoadPoint(series, links, size, rateBitsPerSecond, rates);
    }

    private void Begin(int links, int size)
    {
        // The same links at all servers, so that each receives on as many as it sends on.
        LinkSet cabled = testbed.Shape.CabledLinks(default);
        var names = new List<string>();
        foreach (Link link in cabled)
        {
            names.Add(Uri.EscapeDataString(link.PlainName()));
        }

        testbed.TellAll("diagnostics", $"load?links={string.Join(',', names.Take(links))}&size={size}&for={LongerThanAny}");
    }

    private void End()
    {
        testbed.TellAll("diagnostics", "load?for=0");

        // What waits in the kernel and at the rate limit is still on its way.
        testbed.Sleep(TimeSpan.FromMilliseconds(300));
    }
}
