namespace CamCube.Tool.Hosts;

/// <summary>What a command that sends has sent until now.</summary>
internal sealed record StreamProgressAnswer(long Bytes, double Seconds);
