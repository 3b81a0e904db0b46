using CamCube.Runtime.Cubes;
using CamCube.Runtime.Engine;
using CamCube.Runtime.Services;

namespace CamCube.Hosting.Observing;

/// <summary>Whether the host is alive and ready, and why not. Any thread.</summary>
internal sealed class HostHealth(ICube cube, IEnumerable<IHealthSource> sources)
{
    private volatile HostPhase _phase = HostPhase.Starting;
    private volatile string _stage = "the cube";

    /// <summary>Where in its life the host is.</summary>
    public HostPhase Phase =>
        Failure is not null ? HostPhase.Failed
        : Runs && cube.Cabling?.Phase == CablingPhase.Refusing ? HostPhase.Refusing
        : _phase;

    /// <summary>Whether it has started everything and does not end yet, so that it can be told to do things.</summary>
    public bool Runs => _phase == HostPhase.Ready && Failure is null;

    /// <summary>What ended the loops of the servers, in a line; null: nothing did, or they were told to end.</summary>
    public string? Failure =>
        cube.Ended.Exception?.InnerException is { } error ? $"{What} has ended: {ErrorText.Describe(error)}" : null;

    private string What => cube.LocalRanks is [int one] ? $"server {cube.Shape.At(one)}" : "the cube";

    /// <summary>The start goes on with this stage.</summary>
    public void Starting(string stage) => _stage = stage;

    /// <summary>Everything runs.</summary>
    public void Ready() => _phase = HostPhase.Ready;

    /// <summary>The end begins.</summary>
    public void Stopping() => _phase = HostPhase.Stopping;

    /// <summary>What keeps the host from being ready, or, when it is ready, what is not as it should be.</summary>
    public IReadOnlyList<HealthReason> Reasons()
    {
        List<HealthReason> reasons = Phase switch
        {
            HostPhase.Starting => [NotReady($"{_stage}: {cube.Cabling?.Waiting ?? "starting"}")],
            HostPhase.Failed => [new HealthReason(HealthLevel.Dead, Failure!)],
            HostPhase.Stopping => [NotReady("the host is stopping")],
            HostPhase.Refusing => [NotReady(cube.Cabling?.Waiting ?? "the server does not take part in the cube")],
            _ => Faults(),
        };
        reasons.AddRange(sources.SelectMany(source => source.Reasons()));
        return reasons;
    }

    private static HealthReason NotReady(string text) => new(HealthLevel.NotReady, text);

    private List<HealthReason> Faults()
    {
        List<HealthReason> faults = [];
        foreach (ServerStatus server in cube.GetStatus().Servers.Where(s => s.State != ServerState.Stopped))
        {
            faults.AddRange(
                server
                    .Services.Where(service => service.State != ServiceState.Running)
                    .Select(service => new HealthReason(
                        HealthLevel.Degraded,
                        service.State == ServiceState.Faulted
                            ? $"service {service.Name} on server {server.Coordinate} threw and waits for its restart"
                            : $"service {service.Name} on server {server.Coordinate} stays stopped; faults: "
                                + $"{service.Faults}"
                    ))
            );
            faults.AddRange(
                server
                    .Services.Where(service => service is { State: ServiceState.Running, Unwell: not null })
                    .Select(service => new HealthReason(
                        HealthLevel.Degraded,
                        $"service {service.Name} on server {server.Coordinate}: {service.Unwell}"
                    ))
            );
            faults.AddRange(
                server
                    .Services.Where(static service => service.Missing is not null)
                    .Select(service => new HealthReason(
                        HealthLevel.Degraded,
                        $"service {service.Name} on server {server.Coordinate}: {service.Missing}"
                    ))
            );
        }

        return faults;
    }
}
