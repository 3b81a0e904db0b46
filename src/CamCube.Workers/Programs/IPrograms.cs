namespace CamCube.Workers;

/// <summary>
/// Programs of users as processes: not more than so many at once, others wait in order. What a program does, no call
/// here blocks or throws for it. Disposing of it kills the caller's own programs and stops the starts that wait.
/// </summary>
public interface IPrograms : IDisposable
{
    /// <summary>What all who share these programs have done.</summary>
    ProgramsSummary Summary { get; }

    /// <summary>Starts a program when there is a place for it.</summary>
    /// <param name="start">What and how.</param>
    /// <param name="cancel">Gives it up until it has been started.</param>
    ValueTask<ProgramStarted> StartAsync(ProgramStart start, CancellationToken cancel = default);
}
