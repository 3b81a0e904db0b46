namespace CamCube.Services.Collectives.Folding;

/// <summary>The upper half of a float of 32 bits.</summary>
internal readonly struct BFloat16Form : ISmallFloat
{
    private const uint QuietBit = 0x0040;
    private const uint BelowHalf = 0x7FFF;

    public static float Widen(ushort bits) => BitConverter.UInt32BitsToSingle((uint)bits << 16);

    public static ushort Round(float value)
    {
        uint bits = BitConverter.SingleToUInt32Bits(value);

        // Rounding might make infinity of a NaN.
        return float.IsNaN(value)
            ? (ushort)((bits >> 16) | QuietBit)
            : (ushort)((bits + BelowHalf + ((bits >> 16) & 1)) >> 16);
    }
}
