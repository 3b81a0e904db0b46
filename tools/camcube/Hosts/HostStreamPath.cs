using CamCube.Administration.Answers;

namespace CamCube.Tool.Hosts;

/// <summary>Paths of streams that begin with links of one name, of all servers of a host.</summary>
/// <param name="Link">The link; <c>local</c>: base routing, and streams to the very server.</param>
/// <param name="Packets">Packets sent.</param>
/// <param name="Bytes">Bytes of their bodies.</param>
/// <param name="Lost">Packets lost.</param>
/// <param name="Marked">Packets that hops marked.</param>
/// <param name="Window">Packets that may be under way now, of all connections together.</param>
/// <param name="RoundTripMicros">The longest estimate now; 0: there is none.</param>
internal sealed record HostStreamPath(
    string Link,
    long Packets,
    long Bytes,
    long Lost,
    long Marked,
    long Window,
    long RoundTripMicros
)
{
    /// <summary>Of the counters of links of this name.</summary>
    public static HostStreamPath Of(string link, IReadOnlyCollection<CounterAnswer> counters)
    {
        return new HostStreamPath(
            link,
            Values("stream_path_packets").Sum(),
            Values("stream_path_bytes").Sum(),
            Values("stream_path_lost").Sum(),
            Values("stream_path_marked").Sum(),
            Values("stream_path_window").Sum(),
            Values("stream_path_round_trip").DefaultIfEmpty().Max()
        );

        IEnumerable<long> Values(string name) =>
            counters.Where(counter => counter.Name == name).Select(counter => counter.Value);
    }
}
