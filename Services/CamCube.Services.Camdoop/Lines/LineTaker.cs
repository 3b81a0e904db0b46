namespace CamCube.Services.Camdoop.Lines;

/// <summary>Gets a line.</summary>
/// <param name="line">Its bytes without its end, valid for the call.</param>
internal delegate void LineTaker(ReadOnlySpan<byte> line);
