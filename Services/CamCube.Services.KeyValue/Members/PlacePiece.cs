using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Members;

/// <summary>Notes where a piece of a value lies. False: the key is none of a piece.</summary>
internal delegate bool PlacePiece(ReadOnlySpan<byte> key, LogLocation place);
