using CamCube.Experiments.Distributions;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;

namespace CamCube.Experiments.Catalog;

/// <summary>
/// HPDC Table 1, §6.1.1: a file from one server to 1, 6, 13 and 26 others, three at once, and one while a server is
/// lost, with the distribution service in virtual time.
/// </summary>
public sealed class DistributionFigure : IFigure
{
    private const double Giga = 1e9;
    private const double Mega = 1e6;
    private const double PaperGbps = 5.662;
    private static readonly int[] Sizes = [1, 6, 13, 26];
    private static readonly double[] PaperThree = [1.852, 1.854, 1.848];
    private static readonly TorusShape Shape = new(3, 3, 3);

    // Next to the source: the first of one tree.
    private const int Killed = 1;
    private static readonly FigureParts Runs = new(
        ("sizes", 2.5, RunSizes),
        ("shapes", 6, RunShapes),
        ("three", 3, RunThree),
        ("failure", 2, RunFailure)
    );

    /// <inheritdoc/>
    public string Name => "distribution-c8";

    /// <inheritdoc/>
    public string Title => "A file to 1, 6, 13 and 26 servers, three files at once, and one while a server is lost";

    /// <inheritdoc/>
    public string Paper => "HPDC'13 Table 1, section 6.1.1";

    /// <inheritdoc/>
    public IReadOnlyList<string> Parts => Runs.Names;

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        run.Table.SetColumns("part", "shape", "file", "members", "seconds", "gbps", "share_of_payload");
        Runs.Run(run);
        run.Note(
            $"{Shape} where nothing else is said, "
                + $"links of 1 Gbit/s, frames of 9,014 bytes, disks as fast as memory, {LengthOf(run) / Mega:N0} MB "
                + "of bytes that say where they belong; from when members are told to when the last has it, synced, "
                + "with its SHA-256 looked at. The source reads the file once before that. Looked at each millisecond."
        );
        run.Note(
            "Without coding a server that is lost costs its detection and what is asked again. With two trees of "
                + "parity the file goes along the other four; parity needs memory, so these two are of 75 MB at most."
        );
    }

    private static long LengthOf(FigureRun run) => run.ByScale(4_000_000L, 75_000_000, 750_000_000);

    private static long CodedLengthOf(FigureRun run) => run.ByScale(4_000_000L, 75_000_000, 75_000_000);

    private static int[] MembersOf(int count) =>
        count == Shape.Count - 1
            ? [.. Enumerable.Range(1, count)]
            : [.. Enumerable.Range(0, count).Select(static i => Shape.Count - 1 - (2 * i))];

    private static FileCourse Course(
        FigureRun run,
        Action<double, string> report,
        double done,
        string doing,
        int files,
        int members,
        int killed = -1,
        int code = 0
    )
    {
        report(done, doing);
        using var cube = new FileCube(Shape, run.Options.Seed, () => report(done, doing));
        long length = code > 0 ? CodedLengthOf(run) : LengthOf(run);
        return FileCourse.Run(cube, files, length, MembersOf(members), killed, code);
    }

    private static double Gbps(FigureRun run, double seconds) => LengthOf(run) * 8 / seconds / Giga;

    private static double Share(FigureRun run, FileCourse course, double seconds) =>
        LengthOf(run) * 8 / seconds / (course.Trees * course.PayloadBitsPerSecond);

    private static void RunSizes(FigureRun run, Action<double, string> report)
    {
        Plot plot = run.Add(
            new Plot(
                "One file",
                new PlotAxis("members") { Least = 0, Ticks = [1, 6, 13, 26] },
                new PlotAxis("to the last byte at the last member", "Gbit/s") { Least = 0, Most = 7 }
            )
        );
        Series measured = plot.Add("measured", SeriesKind.LineWithMarks),
            bound = plot.Add("payload of six links", SeriesKind.Line, SeriesRole.Expected),
            paper = plot.Add("paper, 26 members", SeriesKind.Marks, SeriesRole.Paper);
        paper.Add(Sizes[^1], PaperGbps);
        List<double> shares = [];
        foreach (int members in Sizes)
        {
            FileCourse course = Course(
                run,
                report,
                (double)shares.Count / Sizes.Length,
                $"{members} members",
                1,
                members
            );
            double gbps = Gbps(run, course.Seconds[0]);
            shares.Add(Share(run, course, course.Seconds[0]));
            run.Table.Add("sizes", $"{Shape}", 0, members, course.Seconds[0], gbps, shares[^1]);
            measured.Add(members, gbps);
            bound.Add(members, course.Trees * course.PayloadBitsPerSecond / Giga);
            run.Show($"{members} members", gbps, "Gbit/s", paper: members == Sizes[^1] ? PaperGbps : null);
        }

        Check(run, "26 members: share of six links' payload", shares[^1], Limit.AtLeast(0.94));
        Check(run, "most / least of 1, 6, 13 and 26 members", shares.Max() / shares.Min(), Limit.AtMost(1.05));
    }

    // To all others, in cubes of 2, 4 and 6 trees. In a large cube the last is many blocks behind the first, so there
    // the file is longer, and it is not among the quick ones.
    private static void RunShapes(FigureRun run, Action<double, string> report)
    {
        (TorusShape Shape, long Length)[] cubes = run.ByScale<(TorusShape, long)[]>(
            [(new(6, 1, 1), 4_000_000)],
            [
                (new(6, 1, 1), 75_000_000),
                (new(1, 5, 5), 75_000_000),
                (new(3, 4, 5), 75_000_000),
                (new(4, 4, 4), 75_000_000),
            ],
            [
                (new(6, 1, 1), 75_000_000),
                (new(1, 5, 5), 75_000_000),
                (new(3, 4, 5), 75_000_000),
                (new(4, 4, 4), 75_000_000),
                (new(8, 8, 8), 150_000_000),
            ]
        );
        for (int i = 0; i < cubes.Length; i++)
        {
            ((TorusShape shape, long length), double done) = (cubes[i], (double)i / cubes.Length);
            report(done, $"{shape}");
            using var cube = new FileCube(shape, run.Options.Seed, () => report(done, $"{shape}"), isWatched: false);
            int members = shape.Count - 1;
            FileCourse course = FileCourse.Run(cube, 1, length, [.. Enumerable.Range(1, members)]);
            double rate = length * 8 / course.Seconds[0],
                share = rate / (course.Trees * course.PayloadBitsPerSecond);
            run.Table.Add("shapes", $"{shape}", 0, members, course.Seconds[0], rate / Giga, share);
            Check(
                run,
                $"{shape}, {length / Mega:N0} MB: share of {course.Trees} links' payload",
                share,
                Limit.AtLeast(0.92)
            );
        }
    }

    private static void RunThree(FigureRun run, Action<double, string> report)
    {
        const int Files = 3;
        FileCourse course = Course(run, report, 0, "three files at once", Files, Sizes[^1]);
        for (int file = 0; file < Files; file++)
        {
            double gbps = Gbps(run, course.Seconds[file]);
            run.Table.Add(
                "three",
                $"{Shape}",
                file,
                Sizes[^1],
                course.Seconds[file],
                gbps,
                Share(run, course, course.Seconds[file])
            );
            run.Show($"three at once: file {file + 1}", gbps, "Gbit/s", paper: PaperThree[file]);
        }

        double sum = Files * Share(run, course, course.Seconds.Max());
        Check(run, "three at once: last / first", course.Seconds.Max() / course.Seconds.Min(), Limit.AtMost(1.02));
        Check(run, "three at once: share of six links' payload", sum, Limit.AtLeast(0.95 * 0.94));
    }

    private static void RunFailure(FigureRun run, Action<double, string> report)
    {
        const int Code = 2;
        const string Coded = "a server is lost at half, coded 4 of 6";
        FileCourse alone = Course(run, report, 0, "undisturbed", 1, Sizes[^1]),
            lost = Course(run, report, 0.25, "a server is lost at half", 1, Sizes[^1], Killed),
            coded = Course(run, report, 0.5, "undisturbed, coded 4 of 6", 1, Sizes[^1], code: Code),
            codedLost = Course(run, report, 0.75, Coded, 1, Sizes[^1], Killed, Code);
        Plot plot = run.Add(
            new Plot(
                "The member that has least, of those that live",
                new PlotAxis("time", "s") { Least = 0 },
                new PlotAxis("of the file", "%") { Least = 0, Most = 100 }
            )
        );
        Draw(plot.Add("nothing fails", SeriesKind.Line), alone);
        Draw(plot.Add("a neighbour of the source is lost at half", SeriesKind.Line), lost);
        run.Table.Add(
            "failure",
            $"{Shape}",
            0,
            0,
            alone.Seconds[0],
            Gbps(run, alone.Seconds[0]),
            Share(run, alone, alone.Seconds[0])
        );
        run.Table.Add(
            "failure",
            $"{Shape}",
            0,
            1,
            lost.Seconds[0],
            Gbps(run, lost.Seconds[0]),
            Share(run, lost, lost.Seconds[0])
        );
        run.Check("members that live and have no file, one killed", lost.Without, Limit.Exactly(0));
        run.Show("one killed at half: time more", lost.Seconds[0] - alone.Seconds[0], "s");
        run.Check("the same, coded 4 of 6", codedLost.Without, Limit.Exactly(0));
        run.Show("coded 4 of 6, one killed: time more", codedLost.Seconds[0] - coded.Seconds[0], "s");
        double rate = coded.Seconds[0] / codedLost.Seconds[0];
        run.CheckTimed("coded 4 of 6, one killed: of the coded rate", rate, Limit.AtLeast(0.97));
        double share = CodedLengthOf(run) * 8 / coded.Seconds[0] / (coded.Trees * coded.PayloadBitsPerSecond);
        run.Show("coded 4 of 6: share of six links' payload", share, expected: 4.0 / 6);
        run.Table.Add(
            "coded",
            $"{Shape}",
            Code,
            0,
            coded.Seconds[0],
            CodedLengthOf(run) * 8 / coded.Seconds[0] / Giga,
            share
        );
        run.Table.Add(
            "coded",
            $"{Shape}",
            Code,
            1,
            codedLost.Seconds[0],
            CodedLengthOf(run) * 8 / codedLost.Seconds[0] / Giga,
            share * rate
        );
    }

    // A tenth of a file is too little: the way of its last blocks counts.
    private static void Check(FigureRun run, string what, double measured, Limit limit)
    {
        if (run.Options.Scale == FigureScale.Smoke)
        {
            run.NotMade(what, limit);
        }
        else
        {
            run.Check(what, measured, limit);
        }
    }

    private static void Draw(Series series, FileCourse course)
    {
        foreach ((double seconds, double least) in course.Course)
        {
            series.Add(seconds, least);
        }

        series.Add(course.Seconds[0], 100);
    }
}
