namespace CamCube.Services.Collectives.Folding;

/// <summary>A float of 16 bits that is worked with as one of 32.</summary>
internal interface ISmallFloat
{
    /// <summary>The same number.</summary>
    static abstract float Widen(ushort bits);

    /// <summary>The nearest one; of two the even one.</summary>
    static abstract ushort Round(float value);
}
