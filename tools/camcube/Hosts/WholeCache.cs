using System.Text.Json;
using System.Text.Json.Nodes;
using CamCube.Administration.Answers;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>The cache of a cube in its status.</summary>
internal static class WholeCache
{
    private const string Name = "cache";

    // The cache itself gives up on servers that do not answer, after all its attempts.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The host's own status with a field <c>cache</c> (<see cref="HostCache"/>): summed over the host's servers, or,
    /// where it runs one server of a cube, over all that the cache reaches through the torus. Without a running cache,
    /// the status as it is.
    /// </summary>
    public static async Task<string> WithCacheAsync(ToolHost host, string json, CancellationToken cancel)
    {
        StatusAnswer status = host.Read<StatusAnswer>(json);
        ServiceAnswer[] caches =
        [
            .. status.Servers.SelectMany(server => server.Services).Where(service => service.Name == Name),
        ];
        if (caches.Length == 0)
        {
            return json;
        }

        HostCache cache = await OfCubeAsync(host, status, cancel) ?? HostCache.Of(caches.Length, SumOf(caches));
        JsonNode whole = JsonNode.Parse(json)!;
        whole[Name] = JsonSerializer.SerializeToNode(cache, ToolJson.Options);
        return whole.ToJsonString(ToolJson.Options);
    }

    /// <summary>What <see cref="WithCacheAsync"/> added to a status; null: nothing.</summary>
    public static HostCache? Read(ToolHost host, string json) =>
        JsonNode.Parse(json)?[Name] is { } cache ? host.Read<HostCache>(cache.ToJsonString()) : null;

    private static Dictionary<string, long> SumOf(ServiceAnswer[] caches) =>
        caches
            .SelectMany(cache => cache.Counters ?? [])
            .GroupBy(counter => counter.Name)
            .ToDictionary(
                counters => counters.Key,
                counters => counters.Sum(counter => counter.Value),
                StringComparer.Ordinal
            );

    private static async Task<HostCache?> OfCubeAsync(ToolHost host, StatusAnswer status, CancellationToken cancel)
    {
        if (status.Phase != "ready" || status.Servers is not [{ State: not "stopped" }] || status.Torus.Count == 1)
        {
            return null;
        }

        try
        {
            string answer = await host.PostAsync(
                $"/api/servers/{status.Servers[0].Rank}/services/{Name}/statistics",
                Patience,
                cancel
            );
            CacheCounts counts = host.Read<CacheCounts>(answer);
            return HostCache.Of(counts.Servers, counts.Counters);
        }
        catch (ToolException)
        {
            // Its own server's numbers have to do.
            return null;
        }
    }
}
