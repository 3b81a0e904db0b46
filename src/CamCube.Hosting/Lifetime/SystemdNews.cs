using System.Net.Sockets;
using CamCube.Hosting.Observing;
using Microsoft.Extensions.Hosting.Systemd;
using Microsoft.Extensions.Logging;

namespace CamCube.Hosting.Lifetime;

/// <summary>Tells systemd (Type=notify) that the host is ready, well or stopping. Does nothing where systemd does not
/// want to know (<c>NOTIFY_SOCKET</c>). A message that cannot be sent is logged: the host goes on without.</summary>
internal sealed class SystemdNews(ISystemdNotifier systemd, ILogger<SystemdNews> logger)
{
    private static readonly ServiceState AliveNews = new("WATCHDOG=1");

    /// <summary>The host is ready.</summary>
    public void Ready() => Send(ServiceState.Ready);

    /// <summary>All is well: without this in time, systemd ends the host and starts it again.</summary>
    public void Alive() => Send(AliveNews);

    /// <summary>The host is about to end.</summary>
    public void Stopping() => Send(ServiceState.Stopping);

    private void Send(ServiceState state)
    {
        try
        {
            systemd.Notify(state);
        }
        catch (Exception e) when (e is SocketException or ArgumentException or PlatformNotSupportedException)
        {
            HostingLog.NotifyFailed(logger, state.ToString(), e.Message);
        }
    }
}
