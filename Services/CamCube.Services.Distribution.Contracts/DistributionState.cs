namespace CamCube.Services.Distribution;

/// <summary>How far a job is.</summary>
/// <param name="Job">Its number.</param>
/// <param name="Name">The file's name at the members.</param>
/// <param name="Stage">Where it is.</param>
/// <param name="Words">What went wrong; null: nothing.</param>
/// <param name="Bytes">Bytes of the file.</param>
/// <param name="Elapsed">Time since it was begun, or that it took.</param>
/// <param name="Trees">Trees that the file goes along.</param>
/// <param name="Members">Who is to have it, in order of rank.</param>
public sealed record DistributionState(
    ulong Job,
    string Name,
    DistributionStage Stage,
    string? Words,
    long Bytes,
    TimeSpan Elapsed,
    int Trees,
    IReadOnlyList<DistributionMember> Members
);
