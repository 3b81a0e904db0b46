using Microsoft.Extensions.Hosting;

namespace CamCube.Hosting.Lifetime.Windows;

/// <summary>
/// The life of a host that is a Windows service. It counts as running as soon as its settings have been understood: a server may wait for
/// its cables for as long as it takes, and only a running service can be stopped. Whether it is ready is asked over HTTP.
/// </summary>
internal sealed class WindowsServiceLifetime(IServiceManager manager, IHostApplicationLifetime application) : IHostLifetime
{
    private const uint CallNotImplemented = 120;
    private const uint ProcessAborted = 1067;

    /// <summary>A host stops within 5 s.</summary>
    private const uint StopMillis = 10_000;

    private readonly TaskCompletionSource _connected = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _reported = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ManualResetEventSlim _ended = new();
    private volatile ServicePhase _phase = ServicePhase.Running;

    /// <summary>Returns when the service manager knows this process.</summary>
    /// <exception cref="NotAServiceException">It has not started it.</exception>
    public async Task WaitForStartAsync(CancellationToken cancellationToken)
    {
        var thread = new Thread(Serve) { Name = "camcube-service", IsBackground = true };
        thread.Start();
        await _connected.Task.WaitAsync(cancellationToken);
    }

    /// <summary>Everything has ended; returns when the service manager knows.</summary>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        _ended.Set();
        if (_connected.Task.IsCompletedSuccessfully)
        {
            await _reported.Task.WaitAsync(cancellationToken);
        }
    }

    private void Serve()
    {
        try
        {
            if (!manager.Dispatch(Main))
            {
                _connected.TrySetException(new NotAServiceException());
            }
        }
        catch (Exception e)
        {
            _connected.TrySetException(e);
        }
        finally
        {
            _reported.TrySetResult();
        }
    }

    private void Main()
    {
        manager.Register(Obey);
        manager.Report(ServicePhase.Running);
        _connected.SetResult();
        _ended.Wait();
        bool wasMeantTo = _phase == ServicePhase.StopPending || application.ApplicationStarted.IsCancellationRequested;
        manager.Report(ServicePhase.Stopped, wasMeantTo ? 0 : ProcessAborted);
    }

    private uint Obey(ServiceOrder order)
    {
        switch (order)
        {
            case ServiceOrder.Stop or ServiceOrder.Shutdown:
                _phase = ServicePhase.StopPending;
                manager.Report(_phase, waitMillis: StopMillis);
                application.StopApplication();
                return 0;
            case ServiceOrder.Interrogate:
                manager.Report(_phase, waitMillis: _phase == ServicePhase.StopPending ? StopMillis : 0);
                return 0;
            default:
                return CallNotImplemented;
        }
    }
}
