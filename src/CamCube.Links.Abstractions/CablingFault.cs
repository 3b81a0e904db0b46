namespace CamCube;

/// <summary>Something about the cabling that needs mending.</summary>
/// <param name="Kind">What kind of thing.</param>
/// <param name="ServerId">The server concerned, as 16 hexadecimal digits; empty for one that is not heard.</param>
/// <param name="Coordinate">Its place, if known.</param>
/// <param name="Port">Name of its port; null if the fault is no port's.</param>
/// <param name="Link">The port's link, if it has one.</param>
/// <param name="Text">One line in plain words, ASCII.</param>
public sealed record CablingFault(
    CablingFaultKind Kind,
    string ServerId,
    Coordinate? Coordinate,
    string? Port,
    Link? Link,
    string Text
);
