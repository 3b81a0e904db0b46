using CamCube.Runtime.Services;
using CamCube.Simulator.Settings;

namespace CamCube.Simulator.Swarm;

/// <summary>Looks on while an experiment or a swarm run goes on: captures, timelines, traces. It may not change what
/// happens.</summary>
public interface IRunRecorder
{
    /// <summary>Whether it has seen all that it waited for, and the run may end early. Its results are then of no
    /// use.</summary>
    bool IsDone { get; }

    /// <summary>Before the cube is made: adds itself to its options.</summary>
    void Prepare(TorusShape shape, IReadOnlyList<ServiceDefinition> services, SimulatorOptions options);

    /// <summary>The cube stands still between two parts of the run, or at its end.</summary>
    void Advanced(long nowNanos);

    /// <summary>The run is over. That the cube is taken down afterwards is no part of it.</summary>
    void Ended();
}
