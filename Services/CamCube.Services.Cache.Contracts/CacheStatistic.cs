namespace CamCube.Services.Cache;

/// <summary>One line of memcached's <c>stats</c>.</summary>
/// <param name="Name">memcached's name of it.</param>
/// <param name="Value">Text of the value.</param>
public readonly record struct CacheStatistic(string Name, string Value);
