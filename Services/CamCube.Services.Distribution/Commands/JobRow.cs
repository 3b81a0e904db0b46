namespace CamCube.Services.Distribution.Commands;

/// <summary>A job, as JSON has it.</summary>
/// <param name="Id">Its number.</param>
/// <param name="Name">The file's name.</param>
/// <param name="State">Where it is.</param>
/// <param name="Words">What went wrong; null: nothing.</param>
/// <param name="Bytes">Bytes of the file.</param>
/// <param name="Seconds">Since it was begun, or that it took.</param>
/// <param name="Trees">Trees that the file goes along.</param>
/// <param name="Members">Who is to have it.</param>
internal sealed record JobRow(
    string Id,
    string Name,
    string State,
    string? Words,
    long Bytes,
    double Seconds,
    int Trees,
    IReadOnlyList<MemberRow> Members
)
{
    /// <summary>A job.</summary>
    public static JobRow Of(DistributionState state) =>
        new(
            DistributionCommands.NameOf(state.Job),
            state.Name,
            NameOf($"{state.Stage}"),
            state.Words,
            state.Bytes,
            state.Elapsed.TotalSeconds,
            state.Trees,
            [.. state.Members.Select(MemberRow.Of)]
        );

    /// <summary>A stage as JSON has it.</summary>
    public static string NameOf(string stage) => char.ToLowerInvariant(stage[0]) + stage[1..];
}
