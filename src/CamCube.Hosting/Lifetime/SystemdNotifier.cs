using System.Net.Sockets;
using System.Text;
using CamCube.Hosting.Observing;
using Microsoft.Extensions.Logging;

namespace CamCube.Hosting.Lifetime;

/// <summary>Tells systemd (Type=notify) that the host is ready or stopping, by a datagram to the socket it names in
/// <c>NOTIFY_SOCKET</c>. Does nothing elsewhere.</summary>
internal sealed class SystemdNotifier(string? socketPath, ILogger<SystemdNotifier> logger)
{
    /// <summary>Name of the environment variable.</summary>
    public const string Variable = "NOTIFY_SOCKET";

    /// <summary>The host is ready.</summary>
    public void Ready() => Send("READY=1");

    /// <summary>All is well: without this in time, systemd ends the host and starts it again.</summary>
    public void Alive() => Send("WATCHDOG=1");

    /// <summary>The host is about to end.</summary>
    public void Stopping() => Send("STOPPING=1");

    private void Send(string state)
    {
        if (string.IsNullOrEmpty(socketPath))
        {
            return;
        }

        try
        {
            // A leading @ is how systemd writes the NUL of an abstract socket.
            string path = socketPath[0] == '@' ? $"\0{socketPath[1..]}" : socketPath;
            using var socket = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
            socket.SendTo(Encoding.UTF8.GetBytes(state), new UnixDomainSocketEndPoint(path));
        }
        catch (Exception e) when (e is SocketException or ArgumentException or PlatformNotSupportedException)
        {
            HostingLog.NotifyFailed(logger, state, e.Message);
        }
    }
}
