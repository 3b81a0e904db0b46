namespace CamCube.Experiments.Cables;

/// <summary>Loads so many links of every server of a testbed, and measures (HPDC §4.2.1).</summary>
internal sealed class LoadSeries(MeasuredTestbed testbed, long rateBitsPerSecond, TimeSpan settle, TimeSpan time)
{
    private const string LongerThanAny = "600s";

    /// <summary>Links of each server.</summary>
    public int MostLinks { get; } = testbed.Shape.CabledLinks(default).Count;

    /// <summary>Runs everything once, so that no measurement pays for translation.</summary>
    public void WarmUp(int size)
    {
        Begin(MostLinks, size);
        testbed.Sleep(4 * settle);
        End();
    }

    /// <summary>Measures with several numbers of links, 0 to <see cref="MostLinks"/>, which take turns in each
    /// round.</summary>
    /// <param name="series">What is sent.</param>
    /// <param name="links">The numbers of links.</param>
    /// <param name="size">Bytes of body of each packet.</param>
    /// <param name="rounds">How many rounds.</param>
    /// <param name="next">Told before each measurement how many links are next and which part of all is done.</param>
    public IReadOnlyList<LoadPoint> Measure(
        string series,
        IReadOnlyList<int> links,
        int size,
        int rounds,
        Action<int, double> next
    )
    {
        List<IReadOnlyList<ServerRates>>[] measured = [.. links.Select(_ => new List<IReadOnlyList<ServerRates>>())];
        for (int i = 0; i < rounds * links.Count; i++)
        {
            int of = i % links.Count;
            next(links[of], (double)i / (rounds * links.Count));
            if (links[of] > 0)
            {
                Begin(links[of], size);
            }

            testbed.Sleep(settle);
            measured[of].Add(testbed.Measure(time));
            End();
        }

        return
        [
            .. links.Select(
                (count, of) =>
                    new LoadPoint(
                        series,
                        count,
                        size,
                        rateBitsPerSecond,
                        [
                            .. Enumerable
                                .Range(0, measured[of][0].Count)
                                .Select(rank => ServerRates.Of([.. measured[of].Select(round => round[rank])])),
                        ]
                    )
            ),
        ];
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

        testbed.TellAll(
            "diagnostics",
            $"load?links={string.Join(',', names.Take(links))}&size={size}&for={LongerThanAny}"
        );
    }

    private void End()
    {
        testbed.TellAll("diagnostics", "load?for=0s");

        // What waits in the kernel and at the rate limit is still on its way.
        testbed.Sleep(TimeSpan.FromMilliseconds(300));
    }
}
