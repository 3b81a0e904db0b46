namespace CamCube.Services.Diagnostics;

/// <summary>What a trace is to find out.</summary>
/// <param name="From">Where the way begins.</param>
/// <param name="To">Where it ends.</param>
/// <param name="Service">The service that is looked for on it; 0: none.</param>
/// <param name="Timeout">How long to wait for each answer.</param>
internal readonly record struct TraceRequest(Coordinate From, Coordinate To, ServiceId Service, TimeSpan Timeout);
