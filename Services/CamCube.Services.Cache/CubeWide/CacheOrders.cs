using System.ComponentModel;
using CamCube.Services.Cache.Counting;

namespace CamCube.Services.Cache.CubeWide;

/// <summary>What the cache can be asked from outside by name (docs/http-api.md): its counters. Loop only.</summary>
internal sealed class CacheOrders(CubeCommands cube) : IServiceCommands
{
    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands =>
        [
            ServiceCommand.Of<StatisticsArguments, CacheStatistics>(
                "statistics",
                "Counters, summed over all servers that answer.",
                CountAsync
            ),
        ];

    private async ValueTask<CacheStatistics> CountAsync(StatisticsArguments arguments, CommandContext context)
    {
        (long[] sums, int servers) = await cube.CountAsync(arguments.Of == Extent.Cube);
        return new CacheStatistics(
            servers,
            Enumerable.Range(0, sums.Length).ToDictionary(i => CacheCounters.NameOf((CacheCount)i), i => sums[i])
        );
    }

    private enum Extent
    {
        Cube,
        Server,
    }

    private sealed record StatisticsArguments([Description("whose counters")] Extent Of = Extent.Cube);

    private sealed record CacheStatistics(int Servers, IReadOnlyDictionary<string, long> Counters);
}
