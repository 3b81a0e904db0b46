using CamCube.Runtime.Observing;
using CamCube.Runtime.Services;
using CamCube.Simulator.Seeing;
using CamCube.Simulator.Settings;
using CamCube.Simulator.Swarm;

namespace CamCube.Simulator.Tests.Seeing;

/// <summary>Puts observers into an experiment.</summary>
internal sealed class Recorder(
    TorusShape expected,
    Func<Coordinate, IServerObserver> observerOf,
    PacketFinder? finder = null
) : IRunRecorder
{
    public bool IsDone => finder?.Found is not null;

    public void Prepare(TorusShape shape, IReadOnlyList<ServiceDefinition> services, SimulatorOptions options)
    {
        Assert.Equal(expected, shape);
        Assert.NotEmpty(services);
        options.ObserverOf = observerOf;
    }

    public void Advanced(long nowNanos) => finder?.Look();

    public void Ended() { }
}
