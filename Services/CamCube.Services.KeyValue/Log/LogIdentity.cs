namespace CamCube.Services.KeyValue.Log;

/// <summary>Whose a log is: records of another one are not taken for its own.</summary>
/// <param name="Server">The server whose disk it was made on.</param>
/// <param name="Incarnation">The incarnation of the server that made it.</param>
internal readonly record struct LogIdentity(Coordinate Server, ulong Incarnation);
