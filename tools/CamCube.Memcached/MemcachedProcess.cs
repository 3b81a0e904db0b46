using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Memcached;

/// <summary>This process, as far as clients may deal with it.</summary>
/// <param name="allowsShutdown">-A.</param>
/// <param name="log">Whose verbosity clients set.</param>
/// <param name="stop">What ends it.</param>
internal sealed class MemcachedProcess(bool allowsShutdown, MemcachedErrors log, CancellationTokenSource stop)
    : IMemcachedProcess
{
    public bool AllowsShutdown => allowsShutdown;

    public int Verbosity
    {
        get => log.Verbosity;
        set => log.Verbosity = value;
    }

    public (TimeSpan User, TimeSpan System) ProcessorTime =>
        (Environment.CpuUsage.UserTime, Environment.CpuUsage.PrivilegedTime);

    // Either way clients are answered what they have asked: the end is as graceful as that of a signal. Not on the
    // caller's thread, which serves clients.
    public void Shutdown(bool graceful) => _ = stop.CancelAsync();
}
