namespace CamCube.Services.Images.Pictures.Wire;

/// <summary>What became of a picture.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Variants">One for each that was asked for, in their order; empty unless
/// <see cref="PictureStatus.Done"/>.</param>
/// <param name="Text">What happened, in words; empty if there is nothing to say.</param>
public readonly record struct PictureResult(PictureStatus Status, IReadOnlyList<Variant> Variants, string Text);
