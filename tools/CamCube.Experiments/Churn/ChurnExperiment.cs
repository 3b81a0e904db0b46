namespace CamCube.Experiments.Churn;

/// <summary>
/// HPDC Fig. 5(c), §4.2.5: servers fail and return while every server sends packets to random keys; each delivery is
/// compared with an oracle that knows the true state of all servers. A returning server counts for the oracle from the
/// moment it takes its keys. One thread; equal options give equal results.
/// </summary>
public static class ChurnExperiment
{
    // Nobody sends yet, and servers that are down from the start are noticed.
    private static readonly TimeSpan Drain = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan MostAtOnce = TimeSpan.FromMilliseconds(50);

    /// <summary>Runs it.</summary>
    /// <param name="options">What to run.</param>
    /// <param name="progress">Told now and then which part of the virtual time is over, 0 to 1.</param>
    public static ChurnResult Run(ChurnOptions options, Action<double>? progress = null)
    {
        using var run = new ChurnRun(options);
        long end = run.EndNanos + (Drain.Ticks * 100);
        while (run.NowNanos < end)
        {
            run.AdvanceTo(Math.Min(run.NowNanos + (MostAtOnce.Ticks * 100), end));
            progress?.Invoke((double)run.NowNanos / end);
        }

        return run.Result();
    }
}
