using CamCube.Hosting.Settings;
using CamCube.Runtime.Cubes;
using Microsoft.Extensions.Logging;

namespace CamCube.Hosting.Observing;

/// <summary>Finds services that hold most of their server's packets for long: a leak, or a bound that is missing. One
/// thread looks; any may ask for the reasons.</summary>
internal sealed class HeldPackets(WatchOptions options, ILogger<HeldPackets> logger) : IHealthSource
{
    private static readonly long QuietNanos = (long)TimeSpan.FromMinutes(1).TotalNanoseconds;
    private readonly Dictionary<(Coordinate Server, string Service), long> _since = [];
    private readonly Dictionary<string, long> _told = new(StringComparer.Ordinal);
    private volatile string[] _texts = [];

    /// <inheritdoc/>
    public IEnumerable<HealthReason> Reasons() => _texts.Select(text => new HealthReason(HealthLevel.Degraded, text));

    /// <summary>Looks at the counts of all servers, at a time of the watch.</summary>
    public void Look(CubeStatus status, long nanos)
    {
        List<string> texts = [];
        foreach (ServerStatus server in status.Servers)
        {
            foreach (ServiceStatus service in server.Services)
            {
                if (service.Held <= server.PacketBudget * options.HeldShare)
                {
                    _since.Remove((server.Coordinate, service.Name));
                    continue;
                }

                if (
                    !_since.TryAdd((server.Coordinate, service.Name), nanos)
                    && nanos - _since[(server.Coordinate, service.Name)] >= options.HeldAfter.Ticks * 100
                )
                {
                    texts.Add(
                        $"service {service.Name} on server {server.Coordinate} holds {service.Held} of "
                            + $"{server.PacketBudget} packets"
                    );
                    Tell(service.Name, server, service.Held, nanos);
                }
            }
        }

        _texts = [.. texts];
    }

    private void Tell(string service, ServerStatus server, int held, long nanos)
    {
        if (!_told.TryGetValue(service, out long told) || nanos - told >= QuietNanos)
        {
            _told[service] = nanos;
            HostingLog.HoldsPackets(logger, service, server.Coordinate, held, server.PacketBudget, options.HeldAfter);
        }
    }
}
