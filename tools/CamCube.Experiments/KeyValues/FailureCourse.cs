namespace CamCube.Experiments.KeyValues;

/// <summary>What is put into a cube while its servers fail, one after the other.</summary>
internal static class FailureCourse
{
    /// <summary>Runs it.</summary>
    /// <param name="cube">The cube, into which something is put.</param>
    /// <param name="failing">Ranks of those that fail, in order.</param>
    /// <param name="interval">Between two of them, and before the first and after the last.</param>
    /// <param name="pointsPerInterval">Points in time in each.</param>
    /// <param name="bitsPerSecond">What was put from one time to another.</param>
    /// <param name="move">Called with the rank of one that has failed, and those of servers that are there: who asked
    /// the first goes on at one of these.</param>
    /// <param name="tick">Called with the points that are done.</param>
    /// <returns>For each point, in seconds from now on: servers that have failed, and bits per second.</returns>
    public static List<(double Seconds, int Failed, double BitsPerSecond)> Run(
        ValueCube cube,
        IReadOnlyList<int> failing,
        TimeSpan interval,
        int pointsPerInterval,
        Func<long, long, double> bitsPerSecond,
        Action<int, IReadOnlyList<int>> move,
        Action<int> tick
    )
    {
        List<(double, int, double)> points = [];
        long began = cube.NowNanos;
        for (int failed = 0; failed <= failing.Count; failed++)
        {
            if (failed > 0)
            {
                int lost = failing[failed - 1];
                cube.Cube.Kill(lost);

                // The next ones in order, so that no server has all of them.
                int[] there = [.. Enumerable.Range(1, cube.Count - 1).Select(i => (lost + i) % cube.Count)];
                move(lost, [.. there.Where(cube.Runs)]);
            }

            for (int point = 0; point < pointsPerInterval; point++)
            {
                long from = cube.NowNanos;
                cube.Advance(interval / pointsPerInterval);
                points.Add(((cube.NowNanos - began) / 1e9, failed, bitsPerSecond(from, cube.NowNanos)));
                tick(points.Count);
            }
        }

        return points;
    }
}
