using System.Net.Sockets;
using System.Text;
using Microsoft.Extensions.Hosting.Systemd;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>The socket on which systemd hears of a service.</summary>
internal sealed class NotifySocket : IDisposable
{
    private static readonly Lock OneAtATime = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-notify-").FullName;
    private readonly Socket _socket = new(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
    private readonly string _name;

    public NotifySocket(bool isAbstract = false)
    {
        string path = Path.Combine(_folder, "notify");
        _socket.Bind(new UnixDomainSocketEndPoint(isAbstract ? $"\0{path}" : path));
        _name = isAbstract ? $"@{path}" : path;
    }

    public int Available => _socket.Available;

    /// <summary>One that tells whoever systemd names like this; empty: nobody. It looks into the environment of the
    /// process, where it stands only as long as this takes: other hosts of the process are no services.</summary>
    public static ISystemdNotifier NotifierOf(string name)
    {
        lock (OneAtATime)
        {
            string? before = Environment.GetEnvironmentVariable("NOTIFY_SOCKET");
            Environment.SetEnvironmentVariable("NOTIFY_SOCKET", name);
            try
            {
                return new SystemdNotifier();
            }
            finally
            {
                Environment.SetEnvironmentVariable("NOTIFY_SOCKET", before);
            }
        }
    }

    /// <summary>One that tells this socket.</summary>
    public ISystemdNotifier Notifier() => NotifierOf(_name);

    public async Task<string> ReceiveAsync()
    {
        byte[] buffer = new byte[256];
        int length = await _socket.ReceiveAsync(buffer).SoonAsync();
        return Encoding.UTF8.GetString(buffer, 0, length);
    }

    public void Dispose()
    {
        _socket.Dispose();
        Directory.Delete(_folder, recursive: true);
    }
}
