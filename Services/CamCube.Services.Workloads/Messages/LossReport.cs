namespace CamCube.Services.Workloads.Messages;

/// <summary>A server was lost, as this one sees it.</summary>
/// <param name="Rank">Its rank.</param>
/// <param name="Nanos">When, by this server's clock.</param>
public sealed record LossReport(int Rank, long Nanos);
