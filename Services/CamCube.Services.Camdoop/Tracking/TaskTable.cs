using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Tasks;
using CamCube.Services.Camdoop.Wire;

namespace CamCube.Services.Camdoop.Tracking;

/// <summary>The tasks of one kind of a job: which server has which, and what they say of them. Loop only.</summary>
/// <param name="server">The server.</param>
/// <param name="job">The job.</param>
/// <param name="isMap">They are its map tasks; else its reduces.</param>
/// <param name="count">How many there are.</param>
/// <param name="failures">Gets attempts that failed.</param>
internal sealed class TaskTable(IServer server, Job job, bool isMap, int count, FailureLog failures)
{
    // Fewer tasks that are done say little of how long one takes.
    private const int SlowAfterPart = 2;
    private const int SlowTimes = 2;
    private const int MostSecondsPart = 10;
    private static readonly TimeSpan SlowAfter = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan InnocentPause = TimeSpan.FromMilliseconds(250);
    private readonly TrackedTask[] _tasks = [.. Enumerable.Range(0, count).Select(static _ => new TrackedTask())];

    /// <summary>All, by number.</summary>
    public IReadOnlyList<TrackedTask> All => _tasks;

    /// <summary>Why the job cannot go on; null: it can.</summary>
    public string? Fatal { get; private set; }

    /// <summary>What each gives is there.</summary>
    public bool AreReady => Array.TrueForAll(_tasks, static task => task.IsReady);

    /// <summary>All output has its names.</summary>
    public bool AreCommitted => Array.TrueForAll(_tasks, static task => task.Stage == TaskStage.Committed);

    /// <summary>How far they are.</summary>
    public TaskCounts Counts =>
        new(
            _tasks.Length,
            _tasks.Count(static t => t.IsRunning),
            _tasks.Count(static t => t.IsReady && !t.IsLeftOut),
            _tasks.Sum(static t => t.Failures),
            _tasks.Sum(static t => t.Lost)
        )
        {
            LeftOut = _tasks.Count(static t => t.IsLeftOut),
        };

    private (int Attempts, int FailuresPercent, bool RepeatsSlow) Terms =>
        isMap
            ? (job.Description.MapAttempts, job.Description.MapFailuresPercent, job.Description.RepeatsSlowMaps)
            : (
                job.Description.ReduceAttempts,
                job.Description.ReduceFailuresPercent,
                job.Description.RepeatsSlowReduces
            );

    /// <summary>What a server is to do, and what was heard of that.</summary>
    public (TaskOrder[] Orders, string Stages) OrdersOf(int rank)
    {
        List<TaskOrder> orders = [];
        var stages = new System.Text.StringBuilder();
        for (int i = 0; i < _tasks.Length; i++)
        {
            TrackedTask task = _tasks[i];
            if (task.Server == rank)
            {
                orders.Add(new TaskOrder(i, task.Attempt));
                stages.Append((char)('0' + (int)task.Stage));
            }
            else if (task.Second is { } second && second.Server == rank)
            {
                orders.Add(new TaskOrder(i, second.Attempt));
                stages.Append('0');
            }
        }

        return ([.. orders], stages.ToString());
    }

    /// <summary>A server has said what it does.</summary>
    /// <param name="rank">The server.</param>
    /// <param name="adopts">It was asked what it does, not told.</param>
    /// <param name="ordered">What it was told.</param>
    /// <param name="reports">News.</param>
    /// <param name="unchanged">Tasks without.</param>
    /// <param name="canLose">Whether it has what it needs for each, so that what it does not speak of it has
    /// lost.</param>
    public void Hear(
        int rank,
        bool adopts,
        IReadOnlyList<TaskOrder> ordered,
        IReadOnlyList<TaskReport> reports,
        IReadOnlyList<int> unchanged,
        bool canLose
    )
    {
        var said = new Dictionary<int, TaskReport>();
        foreach (TaskReport report in reports)
        {
            if (report.Task >= 0 && report.Task < _tasks.Length)
            {
                said[report.Task] = report;
            }
        }

        if (adopts)
        {
            foreach ((int number, TaskReport report) in said)
            {
                if (_tasks[number].IsOpen && report.Stage != TaskStage.Failed)
                {
                    _tasks[number].Adopt(rank, report);
                    Advance(_tasks[number], report, rank);
                }
            }

            return;
        }

        HashSet<int> same = [.. unchanged];
        foreach (TaskOrder order in ordered)
        {
            TrackedTask task = _tasks[order.Task];
            bool isSecond = task.Second == new SecondAttempt(rank, order.Attempt);
            bool isFirst = task.Server == rank && task.Attempt == order.Attempt && task.Stage != TaskStage.Committed;
            if (!isFirst && !isSecond)
            {
                continue;
            }

            TaskReport? report = said.GetValueOrDefault(order.Task);
            bool isOfIt = report?.Attempt == order.Attempt;
            if (isOfIt && isFirst)
            {
                Advance(task, report!, rank);
            }
            else if (isOfIt)
            {
                AdvanceSecond(task, report!, rank);
            }
            else if (!same.Contains(order.Task) && canLose)
            {
                // It was told to, and does not.
                if (isFirst)
                {
                    task.Lose();
                }
                else
                {
                    task.LoseSecond();
                }
            }
        }
    }

    /// <summary>What a server had is lost.</summary>
    public void Lose(int rank)
    {
        foreach (TrackedTask task in _tasks)
        {
            if (task.Second?.Server == rank)
            {
                task.LoseSecond();
            }

            if (task.Server == rank && task.Stage != TaskStage.Committed)
            {
                task.Lose();
            }
        }
    }

    /// <summary>A task that takes much longer than others did, and that a second server may run, too; less than 0:
    /// there is none. At most one of ten tasks, and one, has such a second attempt.</summary>
    public int FindSlow()
    {
        int seconds = _tasks.Count(static task => task.Second is not null);
        if (!Terms.RepeatsSlow || !job.Description.IsDeterministic || seconds > _tasks.Length / MostSecondsPart)
        {
            return -1;
        }

        long[] took =
        [
            .. _tasks
                .Where(static task => task is { IsReady: true, Measure: not null })
                .Select(static task => task.Measure!.TookNanos)
                .Order(),
        ];
        if (took.Length == 0 || took.Length < _tasks.Length / SlowAfterPart)
        {
            return -1;
        }

        long slow = Math.Max((long)SlowAfter.TotalNanoseconds, SlowTimes * took[took.Length / 2]);
        return Array.FindIndex(
            _tasks,
            task =>
                task is { Stage: TaskStage.Working, Second: null, Server: not TrackedTask.Nobody }
                && server.NowNanos - task.BegunNanos > slow
        );
    }

    private void Advance(TrackedTask task, TaskReport report, int rank)
    {
        if (report.Stage == TaskStage.Failed)
        {
            Fail(task, report, rank);
            return;
        }

        if (job.Description.IsDeterministic && task.Sum is { } sum && report.Sum is { } other && sum != other)
        {
            string name = JobName.OfTask(job.Number, isMap, report.Task);
            Fatal ??=
                $"{name} gave something else when it was run again: its function is not deterministic "
                + "(-D camdoop.deterministic=false)";
        }

        task.Advance(report, server.NowNanos);
    }

    private void AdvanceSecond(TrackedTask task, TaskReport report, int rank)
    {
        if (report.Stage == TaskStage.Ready)
        {
            task.TakeSecond();
            Advance(task, report, rank);
        }
        else if (report.Stage == TaskStage.Failed)
        {
            // The first goes on: whatever is wrong with the task it will say.
            task.LoseSecond();
        }
    }

    private void Fail(TrackedTask task, TaskReport report, int rank)
    {
        string attempt = JobName.OfAttempt(job.Number, isMap, report.Task, report.Attempt);
        Coordinate at = server.Shape.At(rank);
        long pause = report.IsInnocent ? (long)InnocentPause.TotalNanoseconds : 0;
        task.Fail(counts: !report.IsInnocent, server.NowNanos + pause);
        failures.Add(new AttemptFailure(attempt, at, report.Words ?? "it failed") { ErrorText = report.ErrorText });
        if (task.Failures < Terms.Attempts)
        {
            return;
        }

        int others = _tasks.Count(static one => one.IsGivenUp || one.IsLeftOut);
        if ((others + 1) * 100L <= (long)Terms.FailuresPercent * _tasks.Length)
        {
            task.GiveUp();
        }
        else
        {
            Fatal ??= $"{attempt} failed at {at}, as {task.Failures - 1} before it: {report.Words}";
        }
    }
}
