namespace CamCube.Services.Camdoop;

/// <summary>How far the tasks of one kind are.</summary>
/// <param name="All">How many there are.</param>
/// <param name="Running">How many a server has been given.</param>
/// <param name="Done">How many are done, and not lost since.</param>
/// <param name="Failed">Attempts that failed.</param>
/// <param name="Lost">Tasks whose server was lost with what they had done, each time.</param>
public readonly record struct TaskCounts(int All, int Running, int Done, int Failed, int Lost)
{
    /// <summary>Tasks that failed for good, and that the job goes on without
    /// (<see cref="JobDescription.MapFailuresPercent"/>).</summary>
    public int LeftOut { get; init; }
}
