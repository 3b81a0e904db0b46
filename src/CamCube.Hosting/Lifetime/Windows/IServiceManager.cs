namespace CamCube.Hosting.Lifetime.Windows;

/// <summary>The manager of Windows services, as one service sees it.</summary>
internal interface IServiceManager
{
    /// <summary>Connects this process to the manager and runs <paramref name="main"/> on a thread of its. Returns when that has returned.
    /// False: the manager has not started this process.</summary>
    bool Dispatch(Action main);

    /// <summary>Says who takes the manager's orders; they come on a thread of its. Called by the main of <see cref="Dispatch"/>.</summary>
    /// <param name="handler">Gets an order, answers a Windows error code, 0: done.</param>
    void Register(Func<ServiceOrder, uint> handler);

    /// <summary>Tells the manager how the service is. Any thread, after <see cref="Register"/>.</summary>
    /// <param name="state">Its state.</param>
    /// <param name="exitCode">With <see cref="ServicePhase.Stopped"/>: 0 if it was meant to.</param>
    /// <param name="waitMillis">With <see cref="ServicePhase.StopPending"/>: how long that takes at most.</param>
    void Report(ServicePhase state, uint exitCode = 0, uint waitMillis = 0);
}
