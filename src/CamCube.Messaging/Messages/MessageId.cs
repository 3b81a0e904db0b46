namespace CamCube.Messaging;

/// <summary>Names one message for ever.</summary>
/// <param name="Source">The server that sent it.</param>
/// <param name="Run">Microseconds at which the sending channel began: the server's incarnation, or later when the
/// service was restarted within one run of its server.</param>
/// <param name="Sequence">Number of the message within that run.</param>
public readonly record struct MessageId(Coordinate Source, ulong Run, uint Sequence);
