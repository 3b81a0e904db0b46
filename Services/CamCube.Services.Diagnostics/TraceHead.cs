namespace CamCube.Services.Diagnostics;

/// <summary>The first part of a trace's body.</summary>
/// <param name="IsUnderWay">False: it is still carried to the server where the way begins, and nobody writes into
/// it.</param>
/// <param name="Hops">Servers that have written into it.</param>
/// <param name="Most">How many may; there it turns round at the latest.</param>
/// <param name="Service">The service that is looked for at each of them; 0: none.</param>
/// <param name="To">Where the way ends.</param>
internal readonly record struct TraceHead(bool IsUnderWay, int Hops, int Most, ServiceId Service, Coordinate To);
