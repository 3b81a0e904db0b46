namespace CamCube.Services.Camdoop.Wire;

/// <summary>An attempt at a task that a server is to make.</summary>
/// <param name="Task">The task's number.</param>
/// <param name="Attempt">The attempt's number: with a larger one than before it is begun anew.</param>
internal readonly record struct TaskOrder(int Task, int Attempt);
