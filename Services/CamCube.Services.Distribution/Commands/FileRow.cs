namespace CamCube.Services.Distribution.Commands;

/// <summary>A file in a server's folder.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Bytes">Its bytes.</param>
internal sealed record FileRow(string Name, long Bytes);
