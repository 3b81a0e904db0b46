using CamCube.Experiments.Cables;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Catalog.Cables;

/// <summary>HPDC Fig. 4(a) and (b): what the links carry, and CPU time, by loaded links (C4a, C4b of the design). One
/// thread.</summary>
internal sealed class LoadVerdict
{
    private readonly FigureRun _run;
    private readonly int _mostLinks;
    private readonly Dictionary<string, Series> _throughput = [];
    private readonly Dictionary<string, Series> _cpu = [];
    private readonly List<LoadPoint> _points = [];

    /// <summary>Begins the two pictures.</summary>
    public LoadVerdict(FigureRun run, int mostLinks)
    {
        (_run, _mostLinks) = (run, mostLinks);
        double[] ticks = [.. Enumerable.Range(0, mostLinks + 1).Select(links => (double)links)];
        Plot throughput = run.Add(
            new Plot(
                "Fig. 4(a): sent and received per server, by loaded links",
                new PlotAxis("links per server, L") { Ticks = ticks },
                new PlotAxis("part of what all links carry") { Least = 0 }
            )
        );
        Plot cpu = run.Add(
            new Plot(
                "Fig. 4(b): CPU time per server, by loaded links",
                new PlotAxis("links per server, L") { Ticks = ticks },
                new PlotAxis("of one core", "%") { Least = 0 }
            )
        );
        foreach (string series in LoadPoint.AllSeries)
        {
            _throughput[series] = throughput.Add(series, SeriesKind.LineWithMarks);
            _cpu[series] = cpu.Add(series, SeriesKind.LineWithMarks);
        }

        Series all = throughput.Add("what the links carry", SeriesKind.Line, SeriesRole.Expected);
        all.Add(0, 0);
        all.Add(mostLinks, 1);
        if (mostLinks == 6)
        {
            Series paper = throughput.Add("paper, 1,500 B", SeriesKind.Marks, SeriesRole.Paper);
            paper.Add(5, 0.97 * 5 / 6);
            paper.Add(6, 0.91);
        }
    }

    /// <summary>Adds a point.</summary>
    public void Add(LoadPoint point)
    {
        _points.Add(point);
        double part = point.Links == 0 ? 0 : point.Part * point.Links / _mostLinks;
        _throughput[point.Series].Add(point.Links, part);
        _cpu[point.Series].Add(point.Links, 100 * point.Cores);
        ValueRows.Add(
            _run,
            "C4a",
            point.Series,
            $"L = {point.Links}",
            "median sent and received per server",
            point.BitsPerSecond / 1e6,
            "Mbit/s"
        );
        ValueRows.Add(
            _run,
            "C4b",
            point.Series,
            $"L = {point.Links}",
            "median CPU time per server",
            100 * point.Cores,
            "% of a core"
        );
        if (point.Links > 0)
        {
            ValueRows.Add(
                _run,
                "C4a",
                point.Series,
                $"L = {point.Links}",
                "part of what L links carry",
                point.Part,
                ""
            );
            ValueRows.Add(
                _run,
                "C4a",
                point.Series,
                $"L = {point.Links}",
                "spread of the servers",
                100 * point.Spread,
                "%"
            );
            ValueRows.Add(
                _run,
                "C4b",
                point.Series,
                $"L = {point.Links}",
                "CPU time per delivered byte",
                point.NanosPerByte,
                "ns"
            );
        }
    }

    /// <summary>Makes the checks.</summary>
    public void Check()
    {
        double jumbo = Least(LoadPoint.Jumbo),
            small = Least(LoadPoint.Small),
            shared = Least(LoadPoint.Shared);
        _run.CheckTimed(
            "4a: jumbo, part of what L links carry (least)",
            jumbo,
            Limit.AtLeast(0.97),
            "",
            1,
            9_000.0 / 9_014
        );
        _run.CheckTimed(
            "4a: 1,500 B, part of what L links carry (least)",
            small,
            Limit.AtLeast(0.9),
            "",
            0.91,
            1_500.0 / 1_514
        );
        _run.CheckTimed("4a: 1,500 B aggregated (least)", shared, Limit.AtLeast(0.97), "", 1, 9_000.0 / 8_994);
        _run.CheckTimed("4a: aggregated / 1,500 B in own frames", shared / small, Limit.AtLeast(0.99), "", 1 / 0.91);
        _run.CheckTimed(
            $"4a: spread of the servers at L = {_mostLinks} (most)",
            100 * _points.Where(point => point.Links == _mostLinks).Max(point => point.Spread),
            Limit.AtMost(5),
            "%",
            1.28
        );

        LoadPoint fullJumbo = At(LoadPoint.Jumbo),
            fullSmall = At(LoadPoint.Small),
            fullShared = At(LoadPoint.Shared);
        _run.Show($"4b: CPU per server at L = {_mostLinks}, jumbo", 100 * fullJumbo.Cores, "%", 22);
        _run.Show($"4b: CPU per server at L = {_mostLinks}, 1,500 B", 100 * fullSmall.Cores, "%", 87);
        _run.Show($"4b: CPU per server at L = {_mostLinks}, aggregated", 100 * fullShared.Cores, "%", 45);
        _run.CheckTimed(
            "4b: CPU per byte, 1,500 B / jumbo",
            fullSmall.NanosPerByte / fullJumbo.NanosPerByte,
            Limit.AtLeast(2),
            "",
            4
        );
        _run.CheckTimed(
            "4b: CPU per byte, aggregated / 1,500 B",
            fullShared.NanosPerByte / fullSmall.NanosPerByte,
            Limit.AtMost(0.7),
            "",
            0.52
        );
        _run.CheckTimed(
            "4b: CPU per server at L = 0 (most)",
            100 * _points.Where(point => point.Links == 0).Max(point => point.Cores),
            Limit.AtMost(2),
            "%",
            0
        );

        // Where each frame costs, step by step; the fuller the processors, the more frames share a wake-up. Full frames
        // are far apart at such rates, so a server's time is that of its wake-ups; and frames of equal length on cables
        // of equal rates seem to fall into step: measured at full scale, six links cost less than four.
        _run.CheckTimed(
            "4b: CPU with L / with the next smaller L, 1,500 B (least)",
            Step(LoadPoint.Small),
            Limit.AtLeast(0.95),
            "",
            1.2
        );
        _run.CheckTimed(
            $"4b: CPU with {_mostLinks} links / with one (least)",
            LoadPoint.AllSeries.Min(Growth),
            Limit.AtLeast(1.5),
            "",
            _mostLinks
        );
        _run.Show(
            "4b: CPU with L / with the next smaller L, all series (least)",
            LoadPoint.AllSeries.Min(Step),
            "",
            1.2
        );
    }

    private double Least(string series) =>
        _points.Where(point => point.Series == series && point.Links > 0).Min(point => point.Part);

    private LoadPoint At(string series) => _points.Single(point => point.Series == series && point.Links == _mostLinks);

    private double Growth(string series)
    {
        Dictionary<int, double> cores = Cores(series);
        return cores.TryGetValue(1, out double one) ? cores[_mostLinks] / one : double.NaN;
    }

    private double Step(string series)
    {
        KeyValuePair<int, double>[] points = [.. Cores(series).OrderBy(point => point.Key)];
        return points.Zip(points.Skip(1), (less, more) => more.Value / less.Value).DefaultIfEmpty(double.NaN).Min();
    }

    private Dictionary<int, double> Cores(string series) =>
        _points.Where(point => point.Series == series).ToDictionary(point => point.Links, point => point.Cores);
}
