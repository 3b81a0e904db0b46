namespace CamCube.Simulator.Seeing;

/// <summary>Something that happened to a cube, apart from its packets.</summary>
/// <param name="TimeNanos">Virtual time.</param>
/// <param name="Server">The server concerned; 0,0,0 for a fault that begins or ends, whose text says where.</param>
/// <param name="Kind">What kind.</param>
/// <param name="Text">A few words for people.</param>
/// <param name="Fault">Number of a fault that begins or ends, the same in both notes; otherwise 0.</param>
public readonly record struct CubeNote(
    long TimeNanos,
    Coordinate Server,
    CubeNoteKind Kind,
    string Text,
    long Fault = 0
);
