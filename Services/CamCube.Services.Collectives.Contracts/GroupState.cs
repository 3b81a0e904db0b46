namespace CamCube.Services.Collectives;

/// <summary>How a group is at one server.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Members">How many members it has.</param>
/// <param name="Rank">Which of them this server is.</param>
/// <param name="Done">Operations that are done.</param>
/// <param name="Waiting">Operations that are not.</param>
/// <param name="Bytes">Bytes of the vectors of those that are done.</param>
/// <param name="End">Why it has ended; null: it has not.</param>
public sealed record GroupState(
    string Name,
    int Members,
    int Rank,
    long Done,
    int Waiting,
    long Bytes,
    CollectiveResult? End
);
