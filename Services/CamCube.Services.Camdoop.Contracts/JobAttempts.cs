namespace CamCube.Services.Camdoop;

/// <summary>Attempts at the tasks of one kind.</summary>
/// <param name="Tasks">Tasks.</param>
/// <param name="All">Attempts that servers were given.</param>
/// <param name="Failed">Of these, those that failed.</param>
/// <param name="Lost">Of these, those that were lost with their servers, or failed for no fault of their own.</param>
public readonly record struct JobAttempts(int Tasks, int All, int Failed, int Lost);
