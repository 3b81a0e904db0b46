using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Members;

/// <summary>A piece on its way to the disk.</summary>
/// <param name="Id">The value.</param>
/// <param name="Number">Which piece.</param>
/// <param name="Written">Is told that it is durable.</param>
internal sealed record PieceWrite(PieceId Id, int Number, Action Written);
