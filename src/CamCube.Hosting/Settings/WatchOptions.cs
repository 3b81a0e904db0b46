namespace CamCube.Hosting.Settings;

/// <summary>Settings of the watch on the servers' loops (<c>CamCube:Watch</c>).</summary>
internal sealed class WatchOptions
{
    /// <summary>Time without a turn after which a loop counts as hung: it is named in the log, and the host is not
    /// ready. Default 5 s. Shorter: work that only takes long is taken for work without end.</summary>
    public TimeSpan HungAfter { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Time without a turn after which the host counts as dead, so that whoever probes it starts it anew.
    /// Default 60 s. Not less than <see cref="HungAfter"/>.</summary>
    public TimeSpan DeadAfter { get; set; } = TimeSpan.FromSeconds(60);

    /// <summary>A callback that is seen to run for so long is warned of by name. Default 10 ms. The watch looks twice
    /// in this time while the loop is awake for so long. Where the loop has no alarm (a simulated cube; not Linux) it
    /// also looks once in this time while the loop sleeps: about a thousandth of a core at 10 ms, and several times as
    /// much on virtual machines, where threads wake slowly. Shorter costs processor time, and longer means that shorter
    /// callbacks are not seen at all.</summary>
    public TimeSpan SlowCallback { get; set; } = TimeSpan.FromMilliseconds(10);

    /// <summary>Part of a server's packet budget that one service may hold for <see cref="HeldAfter"/> before it is
    /// named. Default 0.5.</summary>
    public double HeldShare { get; set; } = 0.5;

    /// <summary>How long a service may hold more than <see cref="HeldShare"/>. Default 10 s.</summary>
    public TimeSpan HeldAfter { get; set; } = TimeSpan.FromSeconds(10);
}
