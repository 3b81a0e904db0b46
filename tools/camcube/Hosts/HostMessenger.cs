using CamCube.Administration.Answers;

namespace CamCube.Tool.Hosts;

/// <summary>The messengers of a host's servers together (docs/messenger.md#counters).</summary>
/// <param name="Servers">How many there are.</param>
/// <param name="Endpoints">Endpoints that are open.</param>
/// <param name="Received">Messages given to endpoints.</param>
/// <param name="Dropped">Messages dropped because too many waited.</param>
/// <param name="Windows">Windows that are posted.</param>
internal sealed record HostMessenger(int Servers, long Endpoints, long Received, long Dropped, long Windows)
{
    /// <summary>Of the services that are messengers.</summary>
    public static HostMessenger Of(IReadOnlyCollection<ServiceAnswer> services)
    {
        return new HostMessenger(
            services.Count,
            Sum("endpoints"),
            Sum("received"),
            Sum("dropped"),
            Sum("endpoint.windows")
        );

        long Sum(string name) =>
            services
                .SelectMany(service => service.Counters ?? [])
                .Where(counter => counter.Name == name)
                .Sum(counter => counter.Value);
    }
}
