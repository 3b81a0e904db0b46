namespace CamCube.Services.Camdoop.Wire;

/// <summary>Bytes on a cable.</summary>
/// <param name="Cable">Its number: six for each server, by its rank, then its link.</param>
/// <param name="Bytes">The bytes.</param>
internal readonly record struct LinkBytes(int Cable, long Bytes);
