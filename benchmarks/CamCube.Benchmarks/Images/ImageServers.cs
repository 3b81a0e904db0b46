using System.Globalization;
using System.Net;
using CamCube.Benchmarks.Distributions;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Images;

/// <summary>Servers with the image store, each a process in a network namespace of its own: on the cables of a cube, or
/// at a switch. Their originals are in memory. Root; gone when disposed.</summary>
internal sealed class ImageServers : IDisposable
{
    private const int Port = 8300;
    private const int Mtu = 9_000;
    private static readonly TimeSpan StartTime = TimeSpan.FromMinutes(4),
        Patience = TimeSpan.FromMinutes(3);

    // Few processors have many servers here: who waits for one is not away.
    private static readonly string[] Settings =
    [
        "Services:kv:Enabled=true",
        "Services:kv:Tables:0=1=3,storage=memory",
        "Services:kv:Silence=5s",
        "Services:kv:SlowAfter=20s",
        "Services:kv:Timeout=10s",
        "Services:images:Enabled=true",
        "Services:images:Table=1",
        "Services:images:Workers=1",
        "Services:images:WorkerTime=60s",
        "Services:images:Timeout=150s",
        "Services:images:Silence=10s",
        "FrontEnds:kv-http:Enabled=false",
        "FrontEnds:memcached:Enabled=false",
        "DataFolder=data",
    ];

    // Everything is compiled once and well when it is first called: see MeasuredTestbed.
    private static readonly string[] Environment = ["DOTNET_TieredCompilation=0", "DOTNET_ReadyToRun=0"];

    private readonly Action _remove;

    private ImageServers(IReadOnlyList<string> namespaces, IReadOnlyList<int> processes, Action remove)
    {
        _remove = remove;
        Processes = processes;
        Http = [.. namespaces.Select(static name => NamespaceHttp.Client(name, Patience, Port))];
    }

    /// <summary>The servers' processes, by rank.</summary>
    public IReadOnlyList<int> Processes { get; }

    /// <summary>Their front ends.</summary>
    public IReadOnlyList<HttpClient> Http { get; }

    /// <summary>On the cables of a cube.</summary>
    public static async Task<ImageServers> OnCablesAsync(TorusShape shape, CancellationToken cancel)
    {
        string name = string.Create(CultureInfo.InvariantCulture, $"cc-images-{System.Environment.ProcessId}");
        var plan = new TestbedPlan
        {
            Name = name,
            Shape = shape.ToString(),
            ParallelCables = shape.ParallelCables,
            Mtu = Mtu,
            RateBitsPerSecond = 0,
            Shim = "ethernet",
            FixedPlaces = true,
            Detection = "5s",
            Program = HostProgramFile.Find(null),
            Settings = Settings,
            Environment = Environment,
        };
        try
        {
            TestbedState state = await new TestbedBuilder(plan, static _ => { }).BuildAsync(StartTime, cancel);
            return await new ImageServers(
                [.. state.Servers.Select(static one => one.Namespace)],
                [.. state.Servers.Select(static one => one.Process!.Id)],
                () => Remove(name)
            ).ReadyAsync(cancel);
        }
        catch (TestbedException)
        {
            Remove(name);
            throw;
        }
    }

    /// <summary>At a switch (<c>Shim=Switch</c>): a port of a bridge for each.</summary>
    public static async Task<ImageServers> AtSwitchAsync(TorusShape shape, string folder, CancellationToken cancel)
    {
        var network = new SwitchedServers(shape.Count, Mtu, 0);
        List<OwnProcess> hosts = [];
        string[] settings =
        [
            $"Shape={shape}",
            "Shim=Switch",
            "Switch:Servers=10.97.0.{rank+1}:7100",
            "FrontEndAddress=127.0.0.1",
            $"Http:Port={ServerLauncher.HttpPort}",
            "Liveness:DetectionTime=5s",
            "Switch:SilenceTime=20s",
            .. Settings,
        ];
        void remove()
        {
            hosts.ForEach(static one => one.Dispose());
            network.Dispose();
        }

        try
        {
            for (int rank = 0; rank < shape.Count; rank++)
            {
                string own = Path.Combine(folder, $"{rank}");
                string[] words =
                [
                    "ip",
                    "netns",
                    "exec",
                    network.NameOf(rank),
                    "env",
                    .. ServerLauncher.SmallEnvironment,
                    .. Environment,
                    "dotnet",
                    HostProgramFile.Find(null),
                    .. settings.Append($"Coordinate={shape.At(rank)}").Select(static one => $"--CamCube:{one}"),
                    $"--CamCube:StateDirectory={own}",
                    $"--CamCube:DataFolder={Path.Combine(own, "data")}",
                ];

                // Linux shares processors among sessions first.
                hosts.Add(OwnProcess.Start("setsid", words));
            }

            return await new ImageServers(
                [.. Enumerable.Range(0, shape.Count).Select(network.NameOf)],
                [.. hosts.Select(static one => one.Id)],
                remove
            ).ReadyAsync(cancel);
        }
        catch
        {
            remove();
            throw;
        }
    }

    public void Dispose()
    {
        foreach (HttpClient http in Http)
        {
            http.Dispose();
        }

        _remove();
    }

    // A store without leaders answers that it is not there.
    private async Task<ImageServers> ReadyAsync(CancellationToken cancel)
    {
        try
        {
            foreach (HttpClient http in Http)
            {
                long began = TimeProvider.System.GetTimestamp();
                while (!await AnswersAsync(http, cancel))
                {
                    if (TimeProvider.System.GetElapsedTime(began) > StartTime)
                    {
                        throw new TestbedException($"{http.BaseAddress}: no store after {StartTime.TotalSeconds} s.");
                    }

                    await Task.Delay(TimeSpan.FromMilliseconds(500), cancel);
                }
            }

            return this;
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    private static async Task<bool> AnswersAsync(HttpClient http, CancellationToken cancel)
    {
        try
        {
            using HttpResponseMessage answer = await http.GetAsync("/images/none", cancel);
            return answer.StatusCode == HttpStatusCode.NotFound;
        }
        catch (Exception e) when (e is HttpRequestException or IOException)
        {
            return false;
        }
    }

    private static void Remove(string name)
    {
        if (TestbedStore.Read(name) is { } state)
        {
            using TestbedStore store = TestbedStore.Open(name);
            TestbedRemover.Remove(store, state);
        }
    }
}
