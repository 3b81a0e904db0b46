using System.Threading.Channels;
using CamCube.Hosting.Lifetime;
using Microsoft.Extensions.Hosting;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>The life of a Windows service without Windows: obeys as the framework's does, and writes down what its
/// manager would hear.</summary>
internal sealed class FakeServiceLifetime(IHostApplicationLifetime application, ChannelWriter<string> reports)
    : IHostLifetime
{
    private readonly TaskCompletionSource _stopped = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _isStopping;

    public Task WaitForStartAsync(CancellationToken cancellationToken)
    {
        reports.TryWrite("Running 0");
        return Task.CompletedTask;
    }

    /// <summary>The manager orders the end. Returns when it has heard of it, as its handler does.</summary>
    public Task StopFromOutsideAsync() => Task.Run(End);

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        await Task.Run(End, cancellationToken);
        await _stopped.Task.WaitAsync(cancellationToken);
    }

    private void End()
    {
        if (Interlocked.Exchange(ref _isStopping, 1) != 0)
        {
            return;
        }

        int code = ServiceExit.CodeOf(
            application.ApplicationStarted.IsCancellationRequested,
            application.ApplicationStopping.IsCancellationRequested
        );
        reports.TryWrite("StopPending 0");
        application.StopApplication();
        bool ended = application.ApplicationStopped.WaitHandle.WaitOne(TimeSpan.FromSeconds(30));
        reports.TryWrite(ended ? $"Stopped {code}" : "Stopped before the host had ended");
        _stopped.SetResult();
    }
}
