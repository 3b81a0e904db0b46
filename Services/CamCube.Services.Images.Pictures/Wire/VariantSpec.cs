namespace CamCube.Services.Images.Pictures.Wire;

/// <summary>A variant that is asked for.</summary>
/// <param name="Width">Pixels, 1 to 16,384.</param>
/// <param name="Height">Pixels, 1 to 16,384.</param>
/// <param name="Fit">How the picture fits.</param>
/// <param name="Quality">1 to 100, of JPEG and WebP; 0 means 80.</param>
public readonly record struct VariantSpec(
    ushort Width,
    ushort Height,
    VariantFit Fit = VariantFit.Inside,
    byte Quality = 0
);
