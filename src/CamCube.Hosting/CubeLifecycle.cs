using CamCube.Hosting.Control;
using CamCube.Hosting.Faults;
using CamCube.Hosting.FrontEnds;
using CamCube.Hosting.Lifetime;
using CamCube.Hosting.Observing;
using CamCube.Runtime.Cubes;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace CamCube.Hosting;

/// <summary>
/// Starts in stages and stops in reverse. The HTTP ports are open before the first stage and after the last, so that
/// whoever asks for readiness gets an answer all the time. The stages' time limits add up to less than the 5 s within
/// which a host has to end.
/// </summary>
internal sealed class CubeLifecycle(
    HostPlan plan,
    ICube cube,
    FrontEndSet frontEnds,
    HostControl control,
    HostHealth health,
    CubeMetrics metrics,
    SystemdNews systemd,
    SystemdWatchdog watchdog,
    LoopWatch watch,
    FaultReader faults,
    FaultDesk desk,
    HostOutput output,
    HostSetup setup,
    TimeProvider time,
    IHostApplicationLifetime lifetime,
    ILogger<CubeLifecycle> logger
) : IHostedLifecycleService
{
    /// <summary>Time that running requests of clients get.</summary>
    private static readonly TimeSpan DrainTime = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan CloseTime = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan CubeTime = TimeSpan.FromSeconds(1.5);

    /// <inheritdoc/>
    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>HTTP listens; now the cube, then the front ends.</summary>
    public async Task StartedAsync(CancellationToken cancellationToken)
    {
        health.Starting("the cube");
        watch.Start();
        await cube.StartAsync(cancellationToken);
        _ = EndWithAsync();
        FaultSettings.Apply(plan.FaultSettings, faults, desk);
        HostingLog.StageStarted(logger, "the cube");

        health.Starting("the front ends");
        foreach (int rank in cube.LocalRanks)
        {
            await frontEnds.StartAsync(rank, cancellationToken);
        }

        HostingLog.StageStarted(logger, "front ends");
        metrics.AddCountersOfServices();
        health.Ready();
        watch.Serving();
        output.WriteLines(ReadyLines.Of(plan, frontEnds.ReadyTexts(), setup.ToolCall));
        systemd.Ready();
        watchdog.Start();
    }

    /// <summary>Front ends first: they drain and close; then the cube. HTTP closes afterwards.</summary>
    public async Task StoppingAsync(CancellationToken cancellationToken)
    {
        health.Stopping();
        await watchdog.StopAsync();
        systemd.Stopping();
        await BoundAsync("administration", CloseTime, control.CloseAsync);
        await BoundAsync("requests of clients", DrainTime, frontEnds.DrainAllAsync);
        await BoundAsync("front ends", CloseTime, _ => frontEnds.StopAllAsync());
        await BoundAsync("the cube", CubeTime, cancel => cube.StopAsync(cancel).AsTask());
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    // A process whose servers have ended serves nobody: whoever watches over it starts it again.
    private async Task EndWithAsync()
    {
        try
        {
            await cube.Ended;
        }
        catch (Exception e)
        {
            try
            {
                HostingLog.CubeFailed(logger, e);
            }
            finally
            {
                lifetime.StopApplication();
            }
        }
    }

    private async Task BoundAsync(string stage, TimeSpan limit, Func<CancellationToken, Task> stop)
    {
        using CancellationTokenSource late = new(limit, time);
        try
        {
            // The second bound is for a plug-in that does not look at its token.
            await stop(late.Token).WaitAsync(limit, time, CancellationToken.None);
            HostingLog.StageStopped(logger, stage);
        }
        catch (Exception e) when (e is OperationCanceledException or TimeoutException)
        {
            if (watch.Describe() is { } where)
            {
                HostingLog.StageLateIn(logger, stage, where);
            }
            else
            {
                HostingLog.StageLate(logger, stage);
            }
        }
        catch (Exception e)
        {
            HostingLog.StageFailed(logger, e, stage);
        }
    }
}
