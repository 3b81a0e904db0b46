namespace CamCube.Experiments.Moves;

/// <summary>An endpoint went from one server to another while others sent to it.</summary>
/// <param name="IsKill">Whether its server was killed; else it moved.</param>
/// <param name="GapMillis">
/// From the kill to the first message at the new owner. Of a move: from its beginning to its end, and from the moment
/// when the new owner had the name to the first message there, so rather too long than too short.
/// </param>
/// <param name="NoticedMillis">Of a kill: until the last server knew of it.</param>
/// <param name="Sent">Messages that were taken for sending since then.</param>
/// <param name="Lost">Of them, those that came nowhere.</param>
/// <param name="LostLater">Of them, those that were sent after the first one had come to the new owner.</param>
/// <param name="Refused">Messages that were not taken for sending.</param>
internal sealed record MoveRound(
    bool IsKill,
    double GapMillis,
    double NoticedMillis,
    long Sent,
    long Lost,
    long LostLater,
    long Refused
);
