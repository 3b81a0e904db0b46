namespace CamCube.Runtime.Cubes;

/// <summary>A snapshot of one claim of a service, in bytes.</summary>
/// <param name="Name">What it is for.</param>
/// <param name="Bytes">Set apart.</param>
/// <param name="InChunks">Of these in chunks.</param>
public sealed record ClaimStatus(string Name, long Bytes, long InChunks);
