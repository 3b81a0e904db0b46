namespace CamCube.Services.KeyValue.FrontEnds.Http;

/// <summary>The list that a request asks for.</summary>
/// <param name="Prefix">The table, and what the keys begin with.</param>
/// <param name="Cursor">Where it goes on; null: at the beginning.</param>
/// <param name="Limit">About how many keys.</param>
internal sealed record ListTarget(KeyValueKey Prefix, string? Cursor, int Limit);
