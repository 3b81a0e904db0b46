namespace CamCube.Services.KeyValue.Commands;

/// <summary>The store of one server in numbers, in JSON.</summary>
/// <param name="Server">The server.</param>
/// <param name="Groups">Groups that it has a part in.</param>
/// <param name="Led">Those that it leads.</param>
/// <param name="Unborn">Those that are not born, as far as is known here.</param>
/// <param name="Leaderless">Those of which no leader is known here.</param>
/// <param name="WithAway">Those with a member that is away: a copy is missing.</param>
/// <param name="Behind">Changes in the log here that are not applied.</param>
/// <param name="Failure">Why it keeps no part of the store; nothing: it does.</param>
/// <param name="Waiting">What its first start waits for; nothing: it was.</param>
internal sealed record StatusRow(
    string Server,
    int Groups,
    int Led,
    int Unborn,
    int Leaderless,
    int WithAway,
    ulong Behind,
    string? Failure,
    string? Waiting
);
