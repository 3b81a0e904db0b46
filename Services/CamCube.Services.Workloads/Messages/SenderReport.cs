namespace CamCube.Services.Workloads.Messages;

/// <summary>What one endpoint has sent to the endpoint that it was told.</summary>
/// <param name="Id">Number of the sender, in its messages.</param>
/// <param name="IsHostile">Whether it means no good.</param>
/// <param name="Sent">Messages that were taken for sending.</param>
/// <param name="Refused">Messages that were not: no packet, or too many wait for a place.</param>
/// <param name="First">Number of the first one that was sent within the time asked for.</param>
/// <param name="End">Number of the first one after that.</param>
public sealed record SenderReport(int Id, bool IsHostile, int Sent, long Refused, int First, int End);
