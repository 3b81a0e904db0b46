namespace CamCube.Simulator.Seeing;

/// <summary>Something that happened to a cube, apart from its packets.</summary>
/// <param name="TimeNanos">Virtual time.</param>
/// <param name="Server">The server concerned.</param>
/// <param name="Kind">What kind.</param>
/// <param name="Text">A few words for people.</param>
public readonly record struct CubeNote(long TimeNanos, Coordinate Server, CubeNoteKind Kind, string Text);
