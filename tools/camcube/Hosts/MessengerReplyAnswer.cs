namespace CamCube.Tool.Hosts;

/// <summary>The end of one call of a ping of the messenger.</summary>
internal sealed record MessengerReplyAnswer(bool Answered, string Status, double RoundTripMicros);
