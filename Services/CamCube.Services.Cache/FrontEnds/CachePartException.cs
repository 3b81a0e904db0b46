namespace CamCube.Services.Cache.FrontEnds;

/// <summary>A cache that was entered has thrown. Its server knows; the client whose command it was has no
/// answer.</summary>
internal sealed class CachePartException(Exception inner) : Exception("A part of the cache has failed.", inner);
