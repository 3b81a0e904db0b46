namespace CamCube.Services.Images.Pictures.Wire;

/// <summary>How a picture fits into a variant's size. The numbers stand in frames.</summary>
public enum VariantFit : byte
{
    /// <summary>All of it is inside, so one side may be shorter; a smaller picture is not made larger.</summary>
    Inside = 0,

    /// <summary>The size is filled, and what stands out is cut off, half on each side; a smaller picture is not made
    /// larger.</summary>
    Cover = 1,
}
