namespace CamCube.Workers;

/// <summary>A kind of workers: which program, what it says, what it may use.</summary>
/// <param name="Name">Its name in logs and of its threads; all who open the same name share one pool.</param>
/// <param name="Program">Path of the executable. If the file is missing, jobs are
/// <see cref="WorkerStatus.Unavailable"/>.</param>
/// <param name="Protocol">Its frames.</param>
public sealed record WorkerKind(string Name, string Program, WorkerProtocol Protocol)
{
    /// <summary>What it is started with.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];

    /// <summary>Its whole environment, as NAME=value: nothing of this process's own goes to it.</summary>
    public IReadOnlyList<string> Environment { get; init; } = [];

    /// <summary>How many, and what one may use.</summary>
    public WorkerOptions Options { get; init; } = new();

    /// <summary>Gets a line of a worker's standard error, and what the pool has to say of workers; on any thread. Null:
    /// nobody wants it.</summary>
    public Action<string>? Log { get; init; }
}
