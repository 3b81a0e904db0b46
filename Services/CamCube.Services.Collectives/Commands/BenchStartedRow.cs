namespace CamCube.Services.Collectives.Commands;

/// <summary>A measurement that was begun.</summary>
/// <param name="Id">Its number.</param>
internal sealed record BenchStartedRow(string Id);
