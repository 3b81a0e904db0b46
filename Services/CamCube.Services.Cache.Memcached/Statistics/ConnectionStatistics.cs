using System.Globalization;
using CamCube.FrontEnds.Connections;
using CamCube.FrontEnds.Protocols;
using CamCube.Services.Cache.Memcached.Commands;

namespace CamCube.Services.Cache.Memcached.Statistics;

/// <summary>What <c>stats conns</c> says.</summary>
internal static class ConnectionStatistics
{
    /// <summary>Every socket: those that listen, then the clients in the order they came.</summary>
    public static IEnumerable<CacheStatistic> Of(MemcachedContext context) =>
        context.Connections.Describe().SelectMany(Lines);

    private static IEnumerable<CacheStatistic> Lines(ConnectionFacts facts)
    {
        string prefix = facts.Number.ToString(CultureInfo.InvariantCulture) + ":";
        yield return new CacheStatistic(prefix + "addr", facts.Address);
        if (facts.ListenAddress.Length > 0)
        {
            yield return new CacheStatistic(prefix + "listen_addr", facts.ListenAddress);
        }

        yield return new CacheStatistic(prefix + "state", NameOf(facts.State));
        if (facts.IdleSeconds >= 0)
        {
            yield return new CacheStatistic(
                prefix + "secs_since_last_cmd",
                facts.IdleSeconds.ToString(CultureInfo.InvariantCulture)
            );
        }
    }

    // memcached's names.
    private static string NameOf(ConnectionState state) =>
        state switch
        {
            ConnectionState.Listening => "conn_listening",
            ConnectionState.Receiving => "conn_nread",
            ConnectionState.Working => "conn_parse_cmd",
            _ => "conn_read",
        };
}
