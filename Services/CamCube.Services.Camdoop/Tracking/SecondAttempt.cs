namespace CamCube.Services.Camdoop.Tracking;

/// <summary>Another attempt at a task while the first goes on.</summary>
/// <param name="Server">Rank of the server that has been given it.</param>
/// <param name="Attempt">Its number.</param>
internal readonly record struct SecondAttempt(int Server, int Attempt);
