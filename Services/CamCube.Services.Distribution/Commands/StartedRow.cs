namespace CamCube.Services.Distribution.Commands;

/// <summary>A job that was begun.</summary>
/// <param name="Id">Its number.</param>
internal sealed record StartedRow(string Id);
