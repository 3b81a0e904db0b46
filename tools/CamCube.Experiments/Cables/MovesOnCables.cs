using System.Diagnostics;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Moves;

namespace CamCube.Experiments.Cables;

/// <summary>Servers with endpoints that move, as processes on cables without a rate. One thread.</summary>
internal sealed class MovesOnCables : IMovesCube, IDisposable
{
    private readonly MeasuredTestbed _testbed;

    /// <summary>Starts them.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="detection">Silence after which a neighbour is suspected.</param>
    /// <param name="settle">How long a root waits for owners when the view has changed.</param>
    /// <param name="ask">Pause between questions for a name, and for a place.</param>
    /// <param name="run">Whose; it ends at Ctrl+C.</param>
    public MovesOnCables(TorusShape shape, TimeSpan detection, TimeSpan settle, TimeSpan ask, FigureRun run) =>
        _testbed = MeasuredTestbed.Start(
            shape,
            0,
            run,
            "CamCube:Services:roaming:Assembly=workloads",
            $"CamCube:Liveness:DetectionTime={detection:c}",
            $"CamCube:Services:messenger:SettleTime={settle:c}",
            $"CamCube:Services:messenger:AskTime={ask:c}"
        );

    /// <inheritdoc/>
    public TorusShape Shape => _testbed.Shape;

    /// <inheritdoc/>
    public long NowNanos => (long)Stopwatch.GetElapsedTime(0).TotalNanoseconds;

    /// <inheritdoc/>
    public string Tell(int rank, string service, string order) => _testbed.Tell(rank, service, order);

    /// <inheritdoc/>
    public void Sleep(TimeSpan time) => _testbed.Sleep(time);

    /// <inheritdoc/>
    public void Kill(int rank) => _testbed.Kill(rank);

    /// <inheritdoc/>
    public void Restart(int rank) => _testbed.Restart(rank);

    /// <inheritdoc/>
    public void Dispose() => _testbed.Dispose();
}
