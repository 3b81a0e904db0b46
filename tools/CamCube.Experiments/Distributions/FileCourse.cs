using CamCube.Services.Distribution;

namespace CamCube.Experiments.Distributions;

/// <summary>How one file, or several at once, came to its members.</summary>
/// <param name="Seconds">From when members were told to when the last that lives had it, synced; of each file.</param>
/// <param name="Trees">Trees that it went along.</param>
/// <param name="PayloadBitsPerSecond">What a link carries of payload.</param>
/// <param name="Course">Time, and bytes that the member has that lives and has least, and that all have on average; of
/// the first file.</param>
/// <param name="Without">Members that were lost.</param>
internal sealed record FileCourse(
    IReadOnlyList<double> Seconds,
    int Trees,
    double PayloadBitsPerSecond,
    IReadOnlyList<(double Seconds, double Least, double Mean)> Course,
    int Without
)
{
    /// <summary>Sends files from one server, and waits until all who live have them.</summary>
    /// <param name="cube">The cube, without files.</param>
    /// <param name="files">How many.</param>
    /// <param name="length">Bytes of each.</param>
    /// <param name="members">Who is to have them, by rank.</param>
    /// <param name="killed">A member that is killed when half is there; less than 0: none.</param>
    public static FileCourse Run(FileCube cube, int files, long length, IReadOnlyList<int> members, int killed = -1)
    {
        const int Source = 0;
        for (int file = 0; file < files; file++)
        {
            cube.Put(Source, file, length);
        }

        ulong[] jobs = [.. Enumerable.Range(0, files).Select(file => cube.Begin(Source, file, members))];
        DistributionState StateOf(int file) => cube.StateOf(Source, jobs[file]);
        cube.AwaitUntil(() => Enumerable.Range(0, files).All(f => StateOf(f).Stage != DistributionStage.Preparing));
        double began = cube.Now,
            next = began;
        var seconds = new double[files];
        List<(double, double, double)> course = [];
        bool isKilled = killed < 0;
        cube.AwaitUntil(() =>
        {
            DistributionMember[] living =
            [
                .. StateOf(0).Members.Where(m => killed < 0 || m.Server != cube.Shape.At(killed)),
            ];
            double least = living.Min(static m => m.Bytes),
                mean = living.Average(static m => m.Bytes);
            if (cube.Now >= next)
            {
                course.Add((cube.Now - began, least, mean));
                next = cube.Now + (length / 1e10);
            }

            if (!isKilled && mean > length / 2.0)
            {
                isKilled = true;
                cube.Kill(killed);
            }

            for (int file = 0; file < files; file++)
            {
                bool isDone = StateOf(file)
                    .Members.All(m =>
                        m.Stage == MemberStage.Done || (killed >= 0 && m.Server == cube.Shape.At(killed))
                    );
                seconds[file] = seconds[file] == 0 && isDone ? cube.Now - began : seconds[file];
            }

            return Array.TrueForAll(seconds, static s => s > 0);
        });
        return new FileCourse(
            seconds,
            StateOf(0).Trees,
            cube.PayloadBitsPerSecond,
            course,
            StateOf(0).Members.Count(static m => m.Stage != MemberStage.Done)
        );
    }
}
