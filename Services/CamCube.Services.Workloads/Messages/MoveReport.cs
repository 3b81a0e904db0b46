namespace CamCube.Services.Workloads.Messages;

/// <summary>How a move ended.</summary>
/// <param name="Status">As <see cref="Messenger.MoveStatus"/> in lower case.</param>
/// <param name="Nanos">How long it took.</param>
public sealed record MoveReport(string Status, long Nanos);
