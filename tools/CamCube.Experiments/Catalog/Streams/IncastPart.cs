using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Experiments.Streams;

namespace CamCube.Experiments.Catalog.Streams;

/// <summary>26 servers to one: a stream each, or a message each.</summary>
internal static class IncastPart
{
    private const int Links = 6;
    private const double Asked = 0.95;

    /// <summary>Runs it.</summary>
    public static void Run(FigureRun run, Action<double, string> report)
    {
        var time = TimeSpan.FromSeconds(run.ByScale(0.2, 1, 5));
        int rounds = run.ByScale(2, 4, 20);
        Plot plot = run.Add(
            new Plot(
                "Incast: what each of 26 servers brings to one by its stream",
                new PlotAxis("server, by rank"),
                new PlotAxis("rate", "links") { Least = 0 }
            )
        );
        IncastResult streams = IncastExperiment.RunStreams(
            run.Options.Seed,
            time,
            () => report(0, "26 streams to one server")
        );
        Series bars = plot.Add("measured", SeriesKind.Marks),
            even = plot.Add("six links / 26", SeriesKind.Line, SeriesRole.Expected);
        for (int i = 0; i < streams.Shares.Count; i++)
        {
            bars.Add(i + 1, streams.Shares[i]);
            even.Add(i + 1, (double)Links / streams.Shares.Count);
            ValueRows.Add(run, "incast", "streams", $"server {i + 1}", "rate", streams.Shares[i], "links");
        }

        IncastResult messages = IncastExperiment.RunMessages(
            rounds,
            run.Options.Seed,
            () => report(0.6, "26 messages to one server")
        );
        Tell(run, "26 streams to one server", "streams", streams);
        Tell(run, "26 messages of 1 MiB to one server", "messages", messages);
        run.Check("26 messages of 1 MiB to one server: expired or repaired", messages.Late, Limit.Exactly(0));
        run.Note(
            $"incast: 3x3x3, streams by all paths, {time.TotalSeconds} s after 0.1 s; "
                + $"{rounds} rounds of messages, each beginning when all of the one before have arrived."
        );
    }

    private static void Tell(FigureRun run, string what, string series, IncastResult result)
    {
        ValueRows.Add(run, "incast", series, "all", "rate", result.Links, "links");
        ValueRows.Add(run, "incast", series, "all", "drops", result.Drops, "packets");
        run.Check(what, result.Links, Limit.AtLeast(Asked * Links), "links", expected: Links);
        run.Check($"{what}: drops", result.Drops, Limit.Exactly(0), "packets");
    }
}
