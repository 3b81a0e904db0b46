namespace CamCube.Runtime.Cubes;

/// <summary>Packets dropped for one reason.</summary>
/// <param name="Reason">The reason; services' own reasons are counted together as
/// <see cref="DropReason.FirstOfServices"/>.</param>
/// <param name="Count">How many.</param>
public readonly record struct DropCount(DropReason Reason, long Count);
