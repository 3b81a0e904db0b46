namespace CamCube.Services.Messenger.Commands;

/// <summary>The answer of the command ping, in JSON.</summary>
internal sealed record PingResult(string From, string To, int Size, bool Long, IReadOnlyList<PingReply> Replies);
