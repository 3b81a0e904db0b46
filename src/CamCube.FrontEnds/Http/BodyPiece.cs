using System.Buffers;

namespace CamCube.FrontEnds.Http;

/// <summary>A piece of a body.</summary>
/// <param name="Bytes">The bytes, valid until the next read; may be empty.</param>
/// <param name="End">What follows.</param>
public readonly record struct BodyPiece(ReadOnlySequence<byte> Bytes, BodyEnd End);
