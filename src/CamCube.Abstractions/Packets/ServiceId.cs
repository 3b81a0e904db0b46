using System.Globalization;

namespace CamCube;

/// <summary>Two bytes that name a service on the wire, at the front of each packet (HPDC §3.3). 0x0000–0x00FF belong to
/// the runtime.</summary>
/// <param name="Value">The number.</param>
public readonly record struct ServiceId(ushort Value)
{
    /// <summary>Largest id that is reserved for the runtime's own services.</summary>
    public const ushort LastReserved = 0x00FF;

    /// <summary>"0x0101".</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"0x{Value:x4}");
}
