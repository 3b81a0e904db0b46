namespace CamCube.Tool.Hosts;

/// <summary>The end of one ping.</summary>
internal sealed record PingReplyAnswer(bool Answered, int HopsThere, int HopsBack, double RoundTripMicros);
