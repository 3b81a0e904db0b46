namespace CamCube.Testing;

/// <summary>A fault of a service.</summary>
/// <param name="Server">Where.</param>
/// <param name="Service">Which service.</param>
/// <param name="Exception">What it threw.</param>
/// <param name="WillRestart">Whether it restarts.</param>
public sealed record ServiceFault(Coordinate Server, string Service, Exception Exception, bool WillRestart);
