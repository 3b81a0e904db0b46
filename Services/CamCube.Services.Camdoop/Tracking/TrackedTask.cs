using CamCube.Services.Camdoop.Wire;

namespace CamCube.Services.Camdoop.Tracking;

/// <summary>A task as its job's tracker sees it. Loop only.</summary>
internal sealed class TrackedTask
{
    /// <summary>No server has it.</summary>
    public const int Nobody = SyncOrder.NoHolder;

    private int _lastAttempt = -1;

    /// <summary>Rank of the server that has been given it.</summary>
    public int Server { get; private set; } = Nobody;

    /// <summary>How far it is there.</summary>
    public TaskStage Stage { get; private set; }

    /// <summary>The attempt's number.</summary>
    public int Attempt { get; private set; } = -1;

    /// <summary>A second attempt, elsewhere, as the first is slow; whichever is ready first counts. Null: there is
    /// none.</summary>
    public SecondAttempt? Second { get; private set; }

    /// <summary>Attempts that failed and count.</summary>
    public int Failures { get; private set; }

    /// <summary>Attempts that were lost, or failed for no fault of their own.</summary>
    public int Lost { get; private set; }

    /// <summary>When it may be given to somebody; earlier it would most likely fail as before.</summary>
    public long NotBefore { get; private set; }

    /// <summary>SHA-256 of what the first attempt gave.</summary>
    public string? Sum { get; private set; }

    /// <summary>What the attempt that was done last has counted, also if what it gave is lost since and is being made
    /// again.</summary>
    public IReadOnlyList<JobCounter> Counters { get; private set; } = [];

    /// <summary>The attempt that was done last; null: none was, or nobody who knows has said.</summary>
    public DoneAttempt? Done { get; private set; }

    /// <summary>Attempts that servers were given.</summary>
    public int Attempts => _lastAttempt + 1;

    /// <summary>What that attempt has cost; null: nobody has said.</summary>
    public TaskMeasure? Measure { get; private set; }

    /// <summary>When that attempt began to work; of who leads the job.</summary>
    public long BegunNanos { get; private set; }

    /// <summary>It has failed so often that nobody tries again: the job goes on without it, once that is written
    /// down.</summary>
    public bool IsGivenUp { get; private set; }

    /// <summary>The job goes on without it.</summary>
    public bool IsLeftOut { get; private set; }

    /// <summary>Nobody has it, or who has it has failed.</summary>
    public bool IsOpen => Server == Nobody && !IsGivenUp && !IsLeftOut;

    /// <summary>Somebody has it, and is not done.</summary>
    public bool IsRunning => Server != Nobody && !IsReady;

    /// <summary>What it gives is there, or nothing is waited for.</summary>
    public bool IsReady => IsLeftOut || (Server != Nobody && Stage is TaskStage.Ready or TaskStage.Committed);

    /// <summary>A server is given it.</summary>
    public void Give(int server) =>
        (Server, Stage, Attempt, Measure) = (server, TaskStage.Running, NextAttempt(), null);

    /// <summary>Another server is given it, too.</summary>
    public void GiveSecond(int server) => Second = new SecondAttempt(server, NextAttempt());

    /// <summary>A server has it already, as it says.</summary>
    public void Adopt(int server, TaskReport report)
    {
        (Server, Stage) = (server, TaskStage.Running);
        Attempt = Math.Max(Attempt, report.Attempt);
        _lastAttempt = Math.Max(_lastAttempt, Attempt);
    }

    /// <summary>It is further.</summary>
    /// <param name="report">What its server says.</param>
    /// <param name="nowNanos">When it does.</param>
    public void Advance(TaskReport report, long nowNanos)
    {
        Measure = report.Measure;
        BegunNanos = nowNanos - (report.Measure?.AgeNanos ?? 0);
        Stage = report.Stage;
        if (Stage is TaskStage.Ready or TaskStage.Committed)
        {
            Counters = report.Counters;
            Done = report.Measure is { } cost ? new DoneAttempt(Server, BegunNanos, cost) : Done;
        }

        Sum ??= report.Sum;
        Second = IsReady ? null : Second;
    }

    /// <summary>The second attempt is the one that counts from now on.</summary>
    public void TakeSecond()
    {
        SecondAttempt second = Second!.Value;
        (Server, Attempt, Stage, Second) = (second.Server, second.Attempt, TaskStage.Running, null);
    }

    /// <summary>The second attempt came to nothing.</summary>
    public void LoseSecond() => Second = null;

    /// <summary>Who had it has it no more.</summary>
    public void Lose()
    {
        Lost++;
        GoOn();
    }

    /// <summary>The attempt failed.</summary>
    /// <param name="counts">It was its own fault.</param>
    /// <param name="notBefore">When it is to be tried again.</param>
    public void Fail(bool counts, long notBefore)
    {
        NotBefore = notBefore;
        Failures += counts ? 1 : 0;
        Lost += counts ? 0 : 1;
        GoOn();
    }

    /// <summary>Nobody tries again.</summary>
    public void GiveUp() => (Server, Second, IsGivenUp) = (Nobody, null, true);

    /// <summary>The job goes on without it.</summary>
    public void LeaveOut() =>
        (Server, Second, IsLeftOut, Stage, Measure, Counters, Done) = (
            Nobody,
            null,
            true,
            TaskStage.Committed,
            null,
            [],
            null
        );

    private int NextAttempt() => ++_lastAttempt;

    private void GoOn()
    {
        Server = Nobody;
        if (Second is not null)
        {
            TakeSecond();
        }
    }
}
