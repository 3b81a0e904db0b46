namespace CamCube.Services.KeyValue.Groups;

/// <summary>
/// One store of one server. A replaced disk or a restarted memory is another store: it promised nothing and has
/// nothing, so it is never taken for the one that did.
/// </summary>
/// <param name="Server">The server it belongs to.</param>
/// <param name="Incarnation">The incarnation of the server that made it; 0 for a store that is not known.</param>
internal readonly record struct StoreId(Coordinate Server, ulong Incarnation);
