using CamCube.Simulator.Engine;

namespace CamCube.Simulator.Tracing;

/// <summary>Takes the checkpoints of a run: cuts each advance at their times, so that they do not depend on how time is
/// cut elsewhere.</summary>
internal sealed class CheckpointLog(SweepEngine engine, long everyNanos, bool hasServers)
{
    private readonly List<Checkpoint> _taken = [];

    public IReadOnlyList<Checkpoint> Taken => _taken;

    /// <summary>Runs all events up to and including a time, with a stop at each checkpoint on the way.</summary>
    public void Run(long until)
    {
        for (long next = (_taken.Count + 1) * everyNanos; next <= until; next += everyNanos)
        {
            engine.Run(next);
            IReadOnlyList<ulong> servers = hasServers
                ? [.. Enumerable.Range(0, engine.Shape.Count).Select(engine.HashOf)]
                : [];
            _taken.Add(new Checkpoint(next, engine.TraceHash, engine.Events, servers));
        }

        engine.Run(until);
    }
}
