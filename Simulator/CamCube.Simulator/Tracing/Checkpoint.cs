using CamCube.Simulator.Settings;

namespace CamCube.Simulator.Tracing;

/// <summary>
/// The trace hash of a cube at a moment, behind all events up to and including it and before acts from outside at that
/// moment. Two runs are equal up to their last equal checkpoint.
/// </summary>
/// <param name="AtNanos">Virtual time.</param>
/// <param name="Hash">Hash over the whole cube.</param>
/// <param name="Events">Events of the cube so far.</param>
/// <param name="Servers">Each server's hash by rank, if <see cref="SimulatorOptions.CheckpointsHaveServers"/>; else
/// empty.</param>
public sealed record Checkpoint(long AtNanos, ulong Hash, long Events, IReadOnlyList<ulong> Servers);
