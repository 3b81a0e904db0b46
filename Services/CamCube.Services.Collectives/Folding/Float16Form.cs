namespace CamCube.Services.Collectives.Folding;

/// <summary>IEEE 754 binary16.</summary>
internal readonly struct Float16Form : ISmallFloat
{
    public static float Widen(ushort bits) => (float)BitConverter.UInt16BitsToHalf(bits);

    public static ushort Round(float value) => BitConverter.HalfToUInt16Bits((Half)value);
}
