namespace CamCube;

/// <summary>A server as it says itself to be cabled.</summary>
/// <param name="ServerId">Its identity for life, as 16 hexadecimal digits.</param>
/// <param name="Coordinate">Its place; null as long as it has none.</param>
/// <param name="IsFixed">Whether the place comes from its settings, not from the cabling.</param>
/// <param name="IsRefusing">Whether it takes part in nothing at present.</param>
/// <param name="Ports">Its ports, those of links first.</param>
public sealed record CablingServer(
    string ServerId,
    Coordinate? Coordinate,
    bool IsFixed,
    bool IsRefusing,
    IReadOnlyList<CablingPort> Ports
);
