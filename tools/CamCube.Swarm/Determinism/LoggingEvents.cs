using CamCube.Runtime;

namespace CamCube.Swarm.Determinism;

/// <summary>Writes everything that servers tell to a log, as a host would. The simulator calls it for one event at a
/// time.</summary>
public sealed class LoggingEvents(TextWriter log) : IServerEvents
{
    /// <summary>Services that threw.</summary>
    public int Faults { get; private set; }

    /// <inheritdoc/>
    public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart)
    {
        Faults++;
        log.WriteLine($"{server} {service} faulted, restarts: {willRestart}: {exception}");
    }

    /// <inheritdoc/>
    public void ServiceRestarted(Coordinate server, string service) => log.WriteLine($"{server} {service} restarted");

    /// <inheritdoc/>
    public void TopologyChanged(Coordinate server, TopologyChange change) =>
        log.WriteLine($"{server} topology changed: {change}");
}
