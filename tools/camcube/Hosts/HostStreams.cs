using CamCube.Administration.Answers;

namespace CamCube.Tool.Hosts;

/// <summary>The streams of one service, summed over the servers of a host (docs/streams.md#counters).</summary>
/// <param name="Service">The service.</param>
/// <param name="Servers">Over how many.</param>
/// <param name="Open">Streams now; one counts at both its ends.</param>
/// <param name="Connections">Connections now.</param>
/// <param name="Bytes">Bytes of the bodies of all packets sent.</param>
/// <param name="Lost">Packets lost.</param>
/// <param name="Marked">Packets that hops marked.</param>
/// <param name="CreditGranted">Bytes that peers may send, or have sent and nobody has read.</param>
/// <param name="MemoryHeld">Bytes set apart for that, and for what was written and has not arrived.</param>
/// <param name="Paths">By the link that paths begin with.</param>
internal sealed record HostStreams(
    string Service,
    int Servers,
    long Open,
    long Connections,
    long Bytes,
    long Lost,
    long Marked,
    long CreditGranted,
    long MemoryHeld,
    IReadOnlyList<HostStreamPath> Paths
)
{
    private const string Opened = "streams_opened",
        Accepted = "streams_accepted";

    /// <summary>Of the services of one name; null: they have had no streams.</summary>
    public static HostStreams? Of(IReadOnlyCollection<ServiceAnswer> services)
    {
        CounterAnswer[] counters = [.. services.SelectMany(service => service.Counters ?? [])];
        if (Sum(counters, Opened) + Sum(counters, Accepted) == 0)
        {
            return null;
        }

        HostStreamPath[] paths =
        [
            .. counters
                .Where(counter => counter.Link is not null)
                .GroupBy(counter => counter.Link!)
                .OrderBy(link => Links.TryParse(link.Key, out Link known) ? (int)known : Links.Count)
                .Select(link => HostStreamPath.Of(link.Key, [.. link]))
                .Where(path => path.Packets > 0),
        ];
        return new HostStreams(
            services.First().Name,
            services.Count,
            Sum(counters, "streams_open"),
            Sum(counters, "stream_connections"),
            paths.Sum(path => path.Bytes),
            paths.Sum(path => path.Lost),
            paths.Sum(path => path.Marked),
            Sum(counters, "stream_credit_granted"),
            Sum(counters, "stream_memory_held"),
            paths
        );
    }

    private static long Sum(CounterAnswer[] counters, string name) =>
        counters.Where(counter => counter.Name == name).Sum(counter => counter.Value);
}
