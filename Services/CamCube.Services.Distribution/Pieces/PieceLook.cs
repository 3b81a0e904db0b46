using CamCube.Services.Distribution.Wire;

namespace CamCube.Services.Distribution.Pieces;

/// <summary>Looks whether a piece is what it was at the source.</summary>
/// <param name="manifest">What is known of the file.</param>
/// <param name="piece">The piece.</param>
/// <param name="bytes">All of it.</param>
internal delegate bool PieceLook(Manifest manifest, int piece, ReadOnlySpan<byte> bytes);
