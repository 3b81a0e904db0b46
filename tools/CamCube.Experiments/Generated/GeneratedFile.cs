namespace CamCube.Experiments.Generated;

/// <summary>A file that was generated.</summary>
/// <param name="Name">Its name in the folder.</param>
/// <param name="Bytes">Its bytes.</param>
/// <param name="Records">Its records, keys or different words.</param>
public sealed record GeneratedFile(string Name, long Bytes, long Records);
