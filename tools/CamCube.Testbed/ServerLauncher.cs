using System.Globalization;
using System.Text;

namespace CamCube.Testbed;

/// <summary>Starts servers so that they outlive this process: in sessions of their own, with their output in
/// files.</summary>
public sealed class ServerLauncher(TestbedPlan plan)
{
    /// <summary>HTTP port of every server, in its own namespace.</summary>
    public const int HttpPort = 8080;

    /// <summary>
    /// Small and quick to start rather than fast for days: no collector thread, no profile of what runs often, freed
    /// memory given back, and a collection after 4 MiB: .NET allows as much garbage as the third-level cache has room
    /// for, 80 MiB where many share a large one. And only what runs two hundred times is compiled again, not thirty:
    /// otherwise many servers on few processors do nothing else in their first ten seconds, and lose each other.
    /// </summary>
    public static IReadOnlyList<string> SmallEnvironment { get; } =
    [
        "DOTNET_gcServer=0",
        "DOTNET_gcConcurrent=0",
        "DOTNET_GCConserveMemory=5",
        "DOTNET_GCGen0MaxBudget=400000",
        "DOTNET_TieredPGO=0",
        "DOTNET_TC_CallCountThreshold=C8",
        "DOTNET_NOLOGO=1",
    ];

    private readonly TorusShape _shape = plan.Torus();

    /// <summary>Starts some servers at once. Answers their processes in the same order.</summary>
    public IReadOnlyList<ProcessMark> Start(IReadOnlyList<int> ranks)
    {
        var script = new StringBuilder();
        foreach (int rank in ranks)
        {
            Coordinate at = _shape.At(rank);
            Directory.CreateDirectory(TestbedStore.StateFolderOf(plan, at));
            script.Append(CultureInfo.InvariantCulture, $"cd {Quoted(TestbedStore.StateFolderOf(plan, at))}\n");

            // All of these replace each other in one process, so $! is the server's.
            script.AppendJoin(' ', Words(rank).Select(Quoted));
            script.Append(
                CultureInfo.InvariantCulture,
                $" </dev/null >>{Quoted(TestbedStore.LogOf(plan, at))} 2>&1 &\necho $!\n"
            );
        }

        string[] answers = Programs
            .Run("sh", ["-s"], script.ToString())
            .Split('\n', StringSplitOptions.RemoveEmptyEntries);
        return
        [
            .. answers
                .Select(line => int.Parse(line, CultureInfo.InvariantCulture))
                .Select(id => ProcessMark.Of(id) ?? new ProcessMark(id, 0)),
        ];
    }

    /// <summary>The settings of a server, as its command line has them.</summary>
    public IReadOnlyList<string> Settings(int rank)
    {
        Coordinate at = _shape.At(rank);
        string shim = char.ToUpperInvariant(plan.Shim[0]) + plan.Shim[1..];
        var settings = new List<string>
        {
            $"CamCube:Shape={_shape}",
            $"CamCube:ParallelCables={(plan.ParallelCables ? "true" : "false")}",
            $"CamCube:Shim={shim}",
            $"CamCube:ClusterId={plan.Name}",
            $"CamCube:StateDirectory={TestbedStore.StateFolderOf(plan, at)}",
            "CamCube:FrontEndAddress=127.0.0.1",
            $"CamCube:Http:Port={HttpPort}",
            $"CamCube:Liveness:DetectionTime={plan.Detection}",
        };
        if (plan.FixedPlaces)
        {
            settings.Add($"CamCube:Coordinate={at}");
        }

        if (plan.Tunnel)
        {
            settings.Add("CamCube:Services:tunnel:Enabled=true");
        }

        if (plan.Shim == "udp")
        {
            settings.AddRange(UdpCables.Settings(plan, rank));
        }

        if (plan.IsSwitched)
        {
            settings.Add(new SwitchPorts(plan).Setting());
        }

        // What comes later wins.
        settings.AddRange(plan.Settings);
        return settings;
    }

    private IEnumerable<string> Words(int rank)
    {
        bool isAssembly = plan.Program.EndsWith(".dll", StringComparison.OrdinalIgnoreCase);
        return
        [
            "setsid",
            "ip",
            "netns",
            "exec",
            plan.NamespaceOf(_shape.At(rank)),
            // A shell starts what it does not wait for with these ignored.
            "env",
            "--default-signal=INT,QUIT",
            "-u",
            "NOTIFY_SOCKET",
            .. SmallEnvironment,
            .. plan.Environment,
            .. isAssembly ? [Dotnet(), plan.Program] : new[] { plan.Program },
            .. Settings(rank).Select(setting => "--" + setting),
        ];
    }

    private static string Dotnet()
    {
        string own = System.Environment.ProcessPath ?? "";
        return Path.GetFileNameWithoutExtension(own) == "dotnet"
            ? own
            : System.Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
    }

    private static string Quoted(string word) => $"'{word.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
