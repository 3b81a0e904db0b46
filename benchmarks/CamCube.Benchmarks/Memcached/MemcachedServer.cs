using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace CamCube.Benchmarks.Memcached;

/// <summary>A memcached, ours or the other, or a host with memcached's ports, as a process; ended when disposed.
/// Linux.</summary>
internal sealed class MemcachedServer : IDisposable
{
    private const string Peer = "/usr/bin/memcached";
    private static int _nextPort = 20_000 + (Environment.ProcessId % 100 * 100);
    private readonly Process _process;

    private MemcachedServer(Process process, string address) => (_process, Address) = (process, address);

    /// <summary>Whether there is a memcached to compare with.</summary>
    public static bool HasPeer => File.Exists(Peer);

    /// <summary>A port on loopback, a range of them, or the path of a Unix socket.</summary>
    public string Address { get; }

    /// <summary>The server's process.</summary>
    public int ProcessId => _process.Id;

    /// <summary>Bytes of it that are in memory.</summary>
    public long ResidentBytes
    {
        get
        {
            _process.Refresh();
            return _process.WorkingSet64;
        }
    }

    /// <summary>memcached 1.6.18.</summary>
    /// <param name="isUnix">On a Unix socket.</param>
    /// <param name="threads">Its -t.</param>
    /// <param name="megabytes">Its -m.</param>
    /// <param name="processors">Where it may run, as taskset takes it; null: everywhere.</param>
    public static MemcachedServer StartPeer(
        bool isUnix,
        int threads = 1,
        int megabytes = 256,
        string? processors = null
    ) => Start([Peer], isUnix, threads, megabytes, processors);

    /// <summary>CamCube.Memcached of the same build.</summary>
    public static MemcachedServer StartOurs(
        bool isUnix,
        int threads = 1,
        int megabytes = 256,
        string? processors = null
    ) =>
        Start(
            ["dotnet", BuiltProgram.Find("CamCube.Memcached", "CamCube.Memcached.dll")],
            isUnix,
            threads,
            megabytes,
            processors
        );

    /// <summary>A host of the same build that simulates a cube.</summary>
    /// <param name="shape">Its shape.</param>
    /// <param name="processors">As above.</param>
    /// <param name="settings">Further settings, as in <c>CamCube:Services:cache:DefaultReplicas=0</c>.</param>
    public static MemcachedServer StartHost(TorusShape shape, string? processors, params string[] settings)
    {
        int first = FreePorts(2 * shape.Count),
            last = first + shape.Count - 1;
        Process process = Launch(
            processors,
            [
                "dotnet",
                BuiltProgram.Find("CamCube.Host", "CamCube.Host.dll"),
                "--shape",
                shape.ToString(),
                Setting("CamCube:FrontEnds:memcached:Port", first),
                Setting("CamCube:Http:Port", last + 1),
                .. settings.Select(setting => $"--{setting}"),
            ]
        );
        return new MemcachedServer(process, $"{first}-{last}");
    }

    /// <summary>memcached with one thread, at a port with TLS and at one without.</summary>
    public static (MemcachedServer Server, int Secure, int Plain) StartPeerWithTls(string[] options) =>
        StartWithTls([Peer, .. options]);

    /// <summary>Ours, likewise.</summary>
    public static (MemcachedServer Server, int Secure, int Plain) StartOursWithTls(string[] options) =>
        StartWithTls(["dotnet", BuiltProgram.Find("CamCube.Memcached", "CamCube.Memcached.dll"), .. options]);

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

    private static (MemcachedServer Server, int Secure, int Plain) StartWithTls(string[] program)
    {
        (int secure, int plain) = (FreePorts(1), FreePorts(1));
        string[] where = ["-l", $"127.0.0.1:{secure},notls:127.0.0.1:{plain}", "-p", $"{secure}"];
        return (
            new MemcachedServer(Launch("0", [.. program, .. where, .. Limits(1, 256)]), $"{secure}"),
            secure,
            plain
        );
    }

    private static string[] Limits(int threads, int megabytes) =>
        ["-t", Text(threads), "-m", Text(megabytes), "-U", "0", "-u", Environment.UserName];

    private static MemcachedServer Start(string[] program, bool isUnix, int threads, int megabytes, string? processors)
    {
        string address = isUnix
            ? Path.Combine(Path.GetTempPath(), $"memload-{Guid.NewGuid():N}.sock")
            : Text(FreePorts(1));
        string[] where = isUnix ? ["-s", address] : ["-p", address, "-l", "127.0.0.1"];
        return new MemcachedServer(Launch(processors, [.. program, .. where, .. Limits(threads, megabytes)]), address);
    }

    private static Process Launch(string? processors, string[] line) =>
        processors is null
            ? Process.Start(new ProcessStartInfo(line[0], line[1..]))!
            : Process.Start(
                new ProcessStartInfo("taskset", ["-c", processors, .. line]) { RedirectStandardOutput = true }
            )!;

    // The first of so many free ports in a row, and not of those that were given out before: who got them may not
    // listen yet.
    private static int FreePorts(int count)
    {
        for (int first = _nextPort; first < 60_000; first += count)
        {
            if (Enumerable.Range(first, count).All(IsFree))
            {
                _nextPort = first + count;
                return first;
            }
        }

        throw new InvalidOperationException("there are no free ports");
    }

    private static bool IsFree(int port)
    {
        try
        {
            using var probe = new TcpListener(IPAddress.Loopback, port);
            probe.Start();
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private static string Setting(string name, int value) =>
        string.Create(CultureInfo.InvariantCulture, $"--{name}={value}");

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
