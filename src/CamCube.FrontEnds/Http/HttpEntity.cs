namespace CamCube.FrontEnds.Http;

/// <summary>What a GET of something is answered with.</summary>
/// <param name="Tag">Its version, without quotes: any text without quotes and control characters. Null: it has
/// none.</param>
/// <param name="Length">Its length in bytes.</param>
/// <param name="ContentType">What it is.</param>
public readonly record struct HttpEntity(string? Tag, long Length, string ContentType);
