namespace CamCube.Workers;

/// <summary>How a job ended.</summary>
public enum WorkerStatus
{
    /// <summary>The worker answered with a whole frame.</summary>
    Answered = 0,

    /// <summary>As many jobs wait as may (<see cref="WorkerOptions.QueueLimit"/>), or no worker was ready within
    /// <see cref="WorkerOptions.StartDeadline"/>: it was not begun.</summary>
    Busy = 1,

    /// <summary>The caller gave it up while it waited: it was not begun.</summary>
    Cancelled = 2,

    /// <summary>The pool was closed, by its last user or with its process.</summary>
    Stopped = 3,

    /// <summary>No worker can be started here; <see cref="WorkerResult.Text"/> says why. It was not begun.</summary>
    Unavailable = 4,

    /// <summary>It took longer than <see cref="WorkerOptions.Deadline"/>: its worker was killed.</summary>
    TimedOut = 5,

    /// <summary>Its worker ended before the answer was whole: by a limit, a signal or by itself.</summary>
    Died = 6,

    /// <summary>What came is no frame, or longer than <see cref="WorkerOptions.AnswerLimit"/>: its worker was
    /// killed.</summary>
    Rubbish = 7,

    /// <summary>The same request killed a worker before: it was not begun.</summary>
    KilledBefore = 8,
}
