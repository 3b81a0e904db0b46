using System.Globalization;
using System.Text.Json;
using CamCube.Benchmarks.Cables;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Distributions;

/// <summary>A testbed of 27 servers on veth cables that distribute files.</summary>
internal sealed class FilesOnCables : IDisposable
{
    private const string DataFolder = "data";
    private const string FilesFolder = "0130";
    private readonly OwnTestbed _testbed;

    private FilesOnCables(OwnTestbed testbed) => _testbed = testbed;

    /// <summary>Starts it.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="mtu">Bytes of the largest packet of a cable.</param>
    /// <param name="bitsPerSecond">Of each link.</param>
    /// <param name="cancel">Ends it.</param>
    public static async Task<FilesOnCables> StartAsync(
        TorusShape shape,
        int mtu,
        long bitsPerSecond,
        CancellationToken cancel
    )
    {
        const long DiskBytes = 400L << 20;
        string name = string.Create(CultureInfo.InvariantCulture, $"cc-files-{Environment.ProcessId}");
        var plan = new TestbedPlan
        {
            Name = name,
            Shape = shape.ToString(),
            ParallelCables = shape.ParallelCables,
            Mtu = mtu,
            RateBitsPerSecond = bitsPerSecond,
            DiskBytes = DiskBytes,
            Shim = "ethernet",
            FixedPlaces = true,

            // Longer than any wait for a busy processor.
            Detection = "5s",
            Program = HostProgramFile.Find(null),
            Settings =
            [
                "AllowControl=true",
                $"DataFolder={DataFolder}",
                "Services:distribution:Enabled=true",
                "FrontEnds:memcached:Enabled=false",
            ],
        };
        return new FilesOnCables(await OwnTestbed.BuildAsync(plan, cancel));
    }

    /// <summary>Sends a file of one server to all others, and looks at what they have.</summary>
    /// <param name="file">The file, of a name that was not sent.</param>
    /// <param name="rounds">Gets what it took: from when the members were told to when all have the file, synced; and
    /// the processor time of all servers.</param>
    public async Task SendAsync(string file, Action<double, double> rounds)
    {
        double before = CpuSeconds;
        string[] order = [BuiltProgram.Find("camcube", "camcube.dll"), "distribute", file, "--to", "all", "--json"];
        string said = await Task.Run(() =>
            Programs.Run("ip", ["netns", "exec", _testbed.State.Servers[0].Namespace, "dotnet", .. order])
        );
        using JsonDocument json = JsonDocument.Parse(said);
        rounds(json.RootElement.GetProperty("seconds").GetDouble(), CpuSeconds - before);
        for (int rank = 0; rank < _testbed.State.Servers.Count; rank++)
        {
            Coordinate at = _testbed.State.Plan.Torus().At(rank);
            string folder = TestbedStore.StateFolderOf(_testbed.State.Plan, at);
            SameFile.Check(
                file,
                Path.Combine(folder, DataFolder, $"{at.X}-{at.Y}-{at.Z}", FilesFolder, Path.GetFileName(file))
            );
        }
    }

    public void Dispose() => _testbed.Dispose();

    /// <summary>The processes of the servers.</summary>
    public IReadOnlyList<int> Processes => [.. _testbed.State.Servers.Select(static server => server.Process!.Id)];

    private double CpuSeconds => Processes.Sum(ProcessorTime.SecondsOf);
}
