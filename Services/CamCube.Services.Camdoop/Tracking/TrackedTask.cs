using CamCube.Services.Camdoop.Wire;

namespace CamCube.Services.Camdoop.Tracking;

/// <summary>A task as its job's tracker sees it. Loop only.</summary>
internal sealed class TrackedTask
{
    /// <summary>No server has it.</summary>
    public const int Nobody = -1;

    /// <summary>Rank of the server that has been given it.</summary>
    public int Server { get; private set; } = Nobody;

    /// <summary>How far it is there.</summary>
    public TaskStage Stage { get; private set; }

    /// <summary>The attempt's number.</summary>
    public int Attempt { get; private set; } = -1;

    /// <summary>Attempts that failed and count.</summary>
    public int Failures { get; private set; }

    /// <summary>Attempts that were lost, or failed for no fault of their own.</summary>
    public int Lost { get; private set; }

    /// <summary>When it may be given to somebody; earlier it would most likely fail as before.</summary>
    public long NotBefore { get; private set; }

    /// <summary>SHA-256 of what the first attempt gave.</summary>
    public string? Sum { get; private set; }

    /// <summary>What the attempt that counts has counted.</summary>
    public IReadOnlyList<JobCounter> Counters { get; private set; } = [];

    /// <summary>What that attempt has cost; null: nobody has said.</summary>
    public TaskMeasure? Measure { get; private set; }

    /// <summary>When that attempt began to work; of who leads the job.</summary>
    public long BegunNanos { get; private set; }

    /// <summary>Nobody has it, or who has it has failed.</summary>
    public bool IsOpen => Server == Nobody;

    /// <summary>What it gives is there.</summary>
    public bool IsReady => Server != Nobody && Stage is TaskStage.Ready or TaskStage.Committed;

    /// <summary>A server is given it.</summary>
    public void Give(int server)
    {
        (Server, Stage) = (server, TaskStage.Running);
        Attempt++;
    }

    /// <summary>A server has it already, as it says.</summary>
    public void Adopt(int server, TaskReport report)
    {
        (Server, Stage) = (server, TaskStage.Running);
        Attempt = Math.Max(Attempt, report.Attempt);
    }

    /// <summary>It is further.</summary>
    /// <param name="report">What its server says.</param>
    /// <param name="nowNanos">When it does.</param>
    public void Advance(TaskReport report, long nowNanos)
    {
        Measure = report.Measure;
        BegunNanos = nowNanos - (report.Measure?.AgeNanos ?? 0);
        Stage = report.Stage;
        Counters = report.Counters;
        Sum ??= report.Sum;
    }

    /// <summary>Who had it has it no more.</summary>
    public void Lose()
    {
        Server = Nobody;
        Lost++;
    }

    /// <summary>The attempt failed.</summary>
    /// <param name="counts">It was its own fault.</param>
    /// <param name="notBefore">When it is to be tried again.</param>
    public void Fail(bool counts, long notBefore)
    {
        (Server, NotBefore) = (Nobody, notBefore);
        Failures += counts ? 1 : 0;
        Lost += counts ? 0 : 1;
    }
}
