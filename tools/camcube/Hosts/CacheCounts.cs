using System.Text.Json.Serialization;

namespace CamCube.Tool.Hosts;

/// <summary>The answer of the cache's command <c>statistics</c>: counters by name, summed over so many
/// servers.</summary>
internal sealed record CacheCounts(
    [property: JsonRequired] int Servers,
    [property: JsonRequired] Dictionary<string, long> Counters
);
