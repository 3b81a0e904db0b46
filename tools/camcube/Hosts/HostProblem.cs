namespace CamCube.Tool.Hosts;

/// <summary>Why a host refused: problem details (RFC 9457).</summary>
internal sealed record HostProblem(string? Detail);
