namespace CamCube.Services.Messenger.Commands;

/// <summary>The end of one call of a ping, in JSON.</summary>
internal sealed record PingReply(bool Answered, string Status, double RoundTripMicros);
