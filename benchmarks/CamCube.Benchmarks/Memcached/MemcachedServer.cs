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
    public static MemcachedServer StartOurs(bool isUnix)
    {
        // artifacts/bin/CamCube.Benchmarks/release/ -> artifacts/bin/camcube/release/
        var own = new DirectoryInfo(AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar));
        string tool = Path.Combine(own.Parent!.Parent!.FullName, "camcube", own.Name, "camcube.dll");
        return Start("dotnet", [tool, "memcached"], isUnix);
    }

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

    private static MemcachedServer Start(string program, string[] arguments, bool isUnix)
    {
        string address = isUnix
            ? Path.Combine(Path.GetTempPath(), $"memload-{Guid.NewGuid():N}.sock")
            : FreePort().ToString(CultureInfo.InvariantCulture);
        string[] where = isUnix ? ["-s", address] : ["-p", address, "-l", "127.0.0.1"];
        Process process = Process.Start(new ProcessStartInfo(
            "taskset", ["-c", "0", program, .. arguments, .. where, "-t", "1", "-m", "256", "-U", "0", "-u", Environment.UserName]))!;
        return new MemcachedServer(process, address);
    }

    private static int FreePort()
    {
        using var probe = new TcpListener(IPAddress.Loopback, 0);
        probe.Start();
        return ((IPEndPoint)probe.LocalEndpoint).Port;
    }
}
