using CamCube.Services.Distribution;

namespace CamCube.Experiments.Distributions;

/// <summary>How one file, or several at once, came to its members.</summary>
/// <param name="Seconds">From when members were told to when the last that lives had it, synced; of each file.</param>
/// <param name="Trees">Trees that it went along.</param>
/// <param name="PayloadBitsPerSecond">What a link carries of payload.</param>
/// <param name="Course">Time, and how much of all, in per cent, has come to the member that lives and has
/// least.</param>
/// <param name="Without">Members that live and have not all.</param>
internal sealed record FileCourse(
    IReadOnlyList<double> Seconds,
    int Trees,
    double PayloadBitsPerSecond,
    IReadOnlyList<(double Seconds, double Least)> Course,
    int Without
)
{
    private const int PieceBytes = 256 << 10;

    /// <summary>Sends files from one server, and waits until all who live have them.</summary>
    /// <param name="cube">The cube, without files.</param>
    /// <param name="files">How many.</param>
    /// <param name="length">Bytes of each.</param>
    /// <param name="members">Who is to have them, by rank.</param>
    /// <param name="killed">A member that is killed when half is there; less than 0: none.</param>
    /// <param name="code">Trees that carry parity.</param>
    public static FileCourse Run(
        FileCube cube,
        int files,
        long length,
        IReadOnlyList<int> members,
        int killed = -1,
        int code = 0
    )
    {
        const int Source = 0;
        for (int file = 0; file < files; file++)
        {
            cube.Put(Source, file, length);
        }

        ulong[] jobs = [.. Enumerable.Range(0, files).Select(file => cube.Begin(Source, file, members, code))];
        DistributionState StateOf(int file) => cube.StateOf(Source, jobs[file]);
        cube.AwaitUntil(() => Enumerable.Range(0, files).All(f => StateOf(f).Stage != DistributionStage.Preparing));
        double began = cube.Now,
            next = began;
        var seconds = new double[files];
        List<(double, double)> course = [];
        bool isKilled = killed < 0;
        int pieces = (int)((length + PieceBytes - 1) / PieceBytes);
        int[] living = [.. members.Where(member => member != killed)];
        cube.AwaitUntil(() =>
        {
            double[] had = [.. living.Select(member => 100.0 * cube.PiecesAt(member) / pieces / files)];
            if (cube.Now >= next)
            {
                course.Add((cube.Now - began, had.Min()));
                next = cube.Now + (length / 1e10);
            }

            if (!isKilled && had.Average() > 50)
            {
                isKilled = true;
                cube.Kill(killed);
            }

            for (int file = 0; file < files; file++)
            {
                // Several of one source: as that knows it, a millisecond late.
                bool isDone =
                    files == 1
                        ? Array.TrueForAll(living, member => cube.FilesAt(member) > 0)
                        : StateOf(file).Stage == DistributionStage.Done;
                seconds[file] = seconds[file] == 0 && isDone ? cube.Now - began : seconds[file];
            }

            return Array.TrueForAll(seconds, static s => s > 0);
        });
        int without = living.Count(member => cube.FilesAt(member) < files);
        return new FileCourse(seconds, StateOf(0).Trees, cube.PayloadBitsPerSecond, course, without);
    }
}
