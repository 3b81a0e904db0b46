using System.Globalization;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Tunnels;

/// <summary>A real host, a process of its own, whose servers have each a card of the tunnel in a network namespace; the
/// cables between them are those of the simulator.</summary>
internal sealed class TunnelHost : IDisposable
{
    /// <summary>The frames of cards that take long ones, and of all others.</summary>
    public const int Jumbo = 9_014,
        Ordinary = 1_514;

    private readonly OwnProcess _process;
    private readonly TorusShape _shape;
    private readonly string _prefix = string.Create(CultureInfo.InvariantCulture, $"cct{Environment.ProcessId}");

    private TunnelHost(TorusShape shape, long linkBitsPerSecond, int frameBytes)
    {
        _shape = shape;
        HttpPort = OwnProcess.FreePort();
        string[] limit = linkBitsPerSecond > 0 ? [$"--CamCube:Simulator:LinkBitsPerSecond={linkBitsPerSecond}"] : [];
        _process = OwnProcess.Start(
            "dotnet",
            [
                HostProgramFile.Find(null),
                $"--CamCube:Shape={shape}",
                "--CamCube:Services:tunnel:Enabled=true",
                $"--CamCube:Services:tunnel:Namespace={_prefix}",
                "--CamCube:FrontEnds:memcached:Enabled=false",
                $"--CamCube:Http:Port={HttpPort}",
                $"--CamCube:Simulator:MaxFrameLength={frameBytes}",
                .. limit,
            ]
        );
    }

    /// <summary>Where it is asked.</summary>
    public int HttpPort { get; }

    /// <summary>Processor time so far, in seconds.</summary>
    public double CpuSeconds => ProcessorTime.SecondsOf(_process.Id);

    /// <summary>Starts it, and waits until its first server reaches its last.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="linkBitsPerSecond">Of each link; 0: no limit.</param>
    /// <param name="frameBytes">Longest frame of a link.</param>
    public static async Task<TunnelHost> StartAsync(
        TorusShape shape,
        long linkBitsPerSecond = 0,
        int frameBytes = Jumbo
    )
    {
        var host = new TunnelHost(shape, linkBitsPerSecond, frameBytes);
        try
        {
            Coordinate first = shape.At(0),
                last = shape.At(shape.Count - 1);
            await OwnProcess.UntilAsync(
                "the tunnel",
                () => Task.FromResult(Ping.Answers(host.NamespaceOf(first), host.AddressOf(last)))
            );
        }
        catch
        {
            host.Dispose();
            throw;
        }

        return host;
    }

    /// <summary>The network namespace of a server.</summary>
    public string NamespaceOf(Coordinate server) => $"{_prefix}-{server.X}-{server.Y}-{server.Z}";

    /// <summary>The address of a server's card.</summary>
    public string AddressOf(Coordinate server) => $"10.77.0.{_shape.RankOf(server) + 1}";

    /// <summary>Has TCP ask for marks of congestion, which Linux by default only understands.</summary>
    public void UseMarks()
    {
        for (int rank = 0; rank < _shape.Count; rank++)
        {
            Programs.Run("ip", ["netns", "exec", NamespaceOf(_shape.At(rank)), "sysctl", "-q", "net.ipv4.tcp_ecn=1"]);
        }
    }

    public void Dispose()
    {
        // Killed it would leave its namespaces.
        _process.Stop();
        _process.Dispose();
        NetworkNamespaces.Delete([.. Enumerable.Range(0, _shape.Count).Select(rank => NamespaceOf(_shape.At(rank)))]);
    }
}
