namespace CamCube.Services.Collectives.Commands;

/// <summary>A group at one server, as JSON has it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Members">How many members it has.</param>
/// <param name="Rank">Which of them this server is.</param>
/// <param name="Done">Operations that are done.</param>
/// <param name="Waiting">Operations that are not.</param>
/// <param name="Bytes">Bytes of the vectors of those that are done.</param>
/// <param name="State">open, or the status with which it has ended, as in memberLost.</param>
/// <param name="Words">Why it has ended; null: it has not.</param>
internal sealed record GroupRow(
    string Name,
    int Members,
    int Rank,
    long Done,
    int Waiting,
    long Bytes,
    string State,
    string? Words
)
{
    /// <summary>A group.</summary>
    public static GroupRow Of(GroupState state) =>
        new(
            state.Name,
            state.Members,
            state.Rank,
            state.Done,
            state.Waiting,
            state.Bytes,
            state.End is { } end ? CollectivesCommands.NameOf($"{end.Status}") : "open",
            state.End?.Words
        );
}
