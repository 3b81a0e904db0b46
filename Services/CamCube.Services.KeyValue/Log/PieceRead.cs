namespace CamCube.Services.KeyValue.Log;

/// <summary>What reading a range of a value in pieces came to.</summary>
/// <param name="Status">Done; NotFound: a piece is not there; Failed: the disk failed; Stopped.</param>
/// <param name="Bytes">Bytes that were read, from the front: all that were asked for, up to the value's end, if it is
/// done.</param>
/// <param name="Bad">Unless it is done, the piece that could not be read.</param>
/// <param name="IsRotten">That piece is there, and is not as it was written.</param>
internal readonly record struct PieceRead(DiskStatus Status, int Bytes, int Bad, bool IsRotten);
