using CamCube.Services.Images.Pictures.Wire;

namespace CamCube.Services.Images.Roots;

/// <summary>What came of making the variants of an image again.</summary>
/// <param name="Status">Done, or why there are none; Conflict: another version is there by now.</param>
/// <param name="Words">Why, for people.</param>
/// <param name="Variants">The variants in the order of the settings.</param>
internal readonly record struct MadeVariants(ImageStatus Status, string? Words, IReadOnlyList<Variant> Variants);
