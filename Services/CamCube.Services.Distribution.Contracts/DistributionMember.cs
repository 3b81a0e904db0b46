namespace CamCube.Services.Distribution;

/// <summary>How far one member is.</summary>
/// <param name="Server">The member.</param>
/// <param name="Stage">Where it is.</param>
/// <param name="Bytes">Bytes of the file that it has.</param>
/// <param name="Elapsed">Time until it had all; until now if it has not.</param>
/// <param name="Words">What went wrong, also where it has the file all the same; null: nothing.</param>
public readonly record struct DistributionMember(
    Coordinate Server,
    MemberStage Stage,
    long Bytes,
    TimeSpan Elapsed,
    string? Words
);
