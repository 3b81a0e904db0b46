namespace CamCube.Tool.Commands.Camdoop.Streaming;

/// <summary>A file of this machine that a job's programs find in their working folder.</summary>
/// <param name="LocalPath">Where it is. Whether it is there is not known yet.</param>
/// <param name="Name">Its name there.</param>
/// <param name="IsArchive">Whether it is unpacked into a folder of that name.</param>
internal sealed record StreamingUpload(string LocalPath, string Name, bool IsArchive);
