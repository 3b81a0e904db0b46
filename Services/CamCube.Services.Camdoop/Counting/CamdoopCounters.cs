namespace CamCube.Services.Camdoop.Counting;

/// <summary>What one server's MapReduce counts, also read from outside as <c>camcube.camdoop.*</c>, beside what its
/// pulls count. Loop only.</summary>
internal sealed class CamdoopCounters(IServerCounters counters)
{
    /// <summary>Jobs that were begun through this server.</summary>
    public Counter Begun { get; } = counters.Create("begun", "{job}");

    /// <summary>Jobs that ended while this server led them, with all their output.</summary>
    public Counter Done { get; } = counters.Create("done", "{job}");

    /// <summary>Those that came to nothing.</summary>
    public Counter Failed { get; } = counters.Create("failed", "{job}");

    /// <summary>Those that somebody ended.</summary>
    public Counter Cancelled { get; } = counters.Create("cancelled", "{job}");

    /// <summary>Counts a job that has ended.</summary>
    public void End(JobPhase phase) =>
        (
            phase switch
            {
                JobPhase.Done => Done,
                JobPhase.Cancelled => Cancelled,
                _ => Failed,
            }
        ).Add();

    /// <summary>Jobs that this server leads, now.</summary>
    public Counter Led { get; } = counters.Create("led", "{job}");

    /// <summary>Jobs that this server does something for, now.</summary>
    public Counter Served { get; } = counters.Create("served", "{job}");

    /// <summary>Map tasks that this server has done.</summary>
    public Counter Mapped { get; } = counters.Create("mapped", "{task}");

    /// <summary>Reduces that this server has done.</summary>
    public Counter Reduced { get; } = counters.Create("reduced", "{task}");

    /// <summary>Attempts that failed here.</summary>
    public Counter AttemptsFailed { get; } = counters.Create("attempts-failed", "{attempt}");

    /// <summary>Bytes of input that map tasks have read here, of those that are done.</summary>
    public Counter Input { get; } = counters.Create("input", "By");

    /// <summary>Bytes of pairs that they keep for reduces.</summary>
    public Counter Intermediate { get; } = counters.Create("intermediate", "By");

    /// <summary>Bytes of pairs that reduces have taken here, of those that are done.</summary>
    public Counter Taken { get; } = counters.Create("taken", "By");

    /// <summary>Bytes of output that was written here, before it is compressed.</summary>
    public Counter Output { get; } = counters.Create("output", "By");

    /// <summary>Pairs of output that were put into the key-value store from here.</summary>
    public Counter Put { get; } = counters.Create("pairs-put", "{pair}");

    /// <summary>How often servers were asked what they have counted of a job, for its report.</summary>
    public Counter Reports { get; } = counters.Create("reports", "{report}");
}
