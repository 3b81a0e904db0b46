using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace CamCube.Benchmarks.Memcached;

/// <summary>A server process on processor 0; ended when disposed.</summary>
internal sealed class MemcachedServer : IDisposable
{
    private readonly Process _process;

    private MemcachedServer(Process process, string address) => (_process, Address) = (process, address);

    /// <summary>A port on loopback, or the path of a Unix socket.</summary>
    public string Address { get; }

    /// <summary>The server's process.</summary>
    public int ProcessId => _process.Id;

    /// <summary>memcached with one thread.</summary>
    public static MemcachedServer StartPeer(bool isUnix) => Start("memcached", [], isUnix);

    /// <summary>Ours, from the same build.</summary>
    public static MemcachedServer StartOurs(bool isUnix) => Start("dotnet", [Tool(), "memcached"], isUnix);

    /// <summary>memcached with one thread, at a port with TLS and at one without.</summary>
    public static (MemcachedServer Server, int Secure, int Plain) StartPeerWithTls(string[] options) => StartWithTls("memcached", options);

    /// <summary>Ours, likewise.</summary>
    public static (MemcachedServer Server, int Secure, int Plain) StartOursWithTls(string[] options) =>
        StartWithTls("dotnet", [Tool(), "memcached", .. options]);

    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
        if (Address[0] == '/')
        {
            File.Delete(Address);
        }
    }

    private static string Tool()
    {
        // artifacts/bin/CamCube.Benchmarks/release/ -> artifacts/bin/camcube/release/
        var own = new DirectoryInfo(AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar));
        return Path.Combine(own.Parent!.Parent!.FullName, "camcube", own.Name, "camcube.dll");
    }

    private static (MemcachedServer Server, int Secure, int Plain) StartWithTls(string program, string[] arguments)
    {
        (int secure, int plain) = (FreePort(), FreePort());
        string[] where = ["-l", $"127.0.0.1:{secure},notls:127.0.0.1:{plain}", "-p", $"{secure}"];
        return (new MemcachedServer(Launch(program, [.. arguments, .. where]), $"{secure}"), secure, plain);
    }

    private static Process Launch(string program, string[] arguments) => Process.Start(new ProcessStartInfo(
        "taskset", ["-c", "0", program, .. arguments, "-t", "1", "-m", "256", "-U", "0", "-u", Environment.UserName]))!;

    private static MemcachedServer Start(string program, string[] arguments, bool isUnix)
    {
        string address = isUnix
            ? Path.Combine(Path.GetTempPath(), $"memload-{Guid.NewGuid():N}.sock")
            : FreePort().ToString(CultureInfo.InvariantCulture);
        string[] where = isUnix ? ["-s", address] : ["-p", address, "-l", "127.0.0.1"];
        return new MemcachedServer(Launch(program, [.. arguments, .. where]), address);
    }

    private static int FreePort()
    {
        using var probe = new TcpListener(IPAddress.Loopback, 0);
        probe.Start();
        return ((IPEndPoint)probe.LocalEndpoint).Port;
    }
}
