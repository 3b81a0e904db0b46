using CamCube.Services.Images.Pictures.Formats;

namespace CamCube.Services.Images.Pictures.Wire;

/// <summary>A variant that was made: upright, sRGB, without metadata.</summary>
/// <param name="Format">JPEG, or WebP if the picture has transparent parts.</param>
/// <param name="Width">Pixels.</param>
/// <param name="Height">Pixels.</param>
/// <param name="Bytes">The file; the receiver's own.</param>
public readonly record struct Variant(PictureFormat Format, int Width, int Height, ReadOnlyMemory<byte> Bytes);
