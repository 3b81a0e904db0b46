namespace CamCube.Tool.Hosts;

/// <summary>One stream in the answer of the command send of the service streams.</summary>
internal sealed record SentStreamAnswer(long Bytes, double Seconds, string End, string? Sha256 = null);
