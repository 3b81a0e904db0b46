namespace CamCube.FrontEnds.Protocols;

/// <summary>A protocol broke its contract: it consumes nothing, keeps too much, or answers more than it may. Its client
/// is closed and counted, the log names both.</summary>
/// <param name="message">One sentence for people.</param>
public sealed class ProtocolException(string message) : Exception(message);
