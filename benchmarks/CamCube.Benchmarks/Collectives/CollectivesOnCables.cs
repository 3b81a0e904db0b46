using System.Globalization;
using System.Text.Json;
using CamCube.Benchmarks.Cables;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Collectives;

/// <summary>A testbed of servers on veth cables with the collectives. Root; gone when disposed.</summary>
internal sealed class CollectivesOnCables : IDisposable
{
    private readonly OwnTestbed _testbed;
    private int _names;

    private CollectivesOnCables(OwnTestbed testbed, string sockets) => (_testbed, SocketFolder) = (testbed, sockets);

    /// <summary>Where the sockets of its servers are.</summary>
    public string SocketFolder { get; }

    /// <summary>The folder of <c>camcube_collectives.py</c>.</summary>
    public string PythonFolder => BuiltProgram.FolderOf(Path.Combine("tools", "python"));

    /// <summary>Its servers' places, by rank.</summary>
    public string[] Places => [.. _testbed.State.Servers.Select(static server => server.Coordinate)];

    /// <summary>CPU time that all its servers have taken.</summary>
    public double CpuSeconds =>
        _testbed.State.Servers.Sum(static server => ProcessorTime.SecondsOf(server.Process!.Id));

    /// <summary>A number that no group had.</summary>
    public int NextName() => ++_names;

    /// <summary>Starts it.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="mtu">Bytes of the largest packet of a cable.</param>
    /// <param name="bitsPerSecond">Of each link.</param>
    /// <param name="cancel">Ends it.</param>
    public static async Task<CollectivesOnCables> StartAsync(
        TorusShape shape,
        int mtu,
        long bitsPerSecond,
        CancellationToken cancel
    )
    {
        string sockets = Directory.CreateTempSubdirectory("camcube-sums-").FullName;
        string name = string.Create(CultureInfo.InvariantCulture, $"cc-sums-{Environment.ProcessId}");
        var plan = new TestbedPlan
        {
            Name = name,
            Shape = shape.ToString(),
            ParallelCables = shape.ParallelCables,
            Mtu = mtu,
            RateBitsPerSecond = bitsPerSecond,
            Shim = "ethernet",
            FixedPlaces = true,

            // Longer than any wait for a busy processor.
            Detection = "5s",
            Program = HostProgramFile.Find(null),
            Settings =
            [
                "AllowControl=true",
                "Services:collectives:Enabled=true",
                "FrontEnds:memcached:Enabled=false",
                "FrontEnds:collectives:Enabled=true",
                $"FrontEnds:collectives:Folder={sockets}",
            ],
        };
        try
        {
            var built = new CollectivesOnCables(await OwnTestbed.BuildAsync(plan, cancel), sockets);
            try
            {
                await built.AnswersAsync();
                return built;
            }
            catch
            {
                built._testbed.Dispose();
                throw;
            }
        }
        catch
        {
            Directory.Delete(sockets, recursive: true);
            throw;
        }
    }

    /// <summary>Seconds of one allreduce of float32 at the slowest member. Its results are looked at.</summary>
    /// <param name="bytes">Length of the vectors.</param>
    /// <param name="rounds">The time is the mean of so many.</param>
    /// <exception cref="TestbedException">It did not end well, or a result is wrong.</exception>
    public async Task<double> AllReduceAsync(int bytes, int rounds = 1)
    {
        string size = string.Create(CultureInfo.InvariantCulture, $"{bytes}");
        string[] order = [BuiltProgram.Find("camcube", "camcube.dll"), "collective", "bench", "--json"];
        string[] terms = ["--bytes", $"{size}..{size}", "--type", "float32", "--rounds", $"{rounds}"];
        string said = await Task.Run(() =>
            Programs.Run("ip", ["netns", "exec", _testbed.State.Servers[0].Namespace, "dotnet", .. order, .. terms])
        );
        using JsonDocument json = JsonDocument.Parse(said);
        JsonElement row = json.RootElement.GetProperty("sizes")[0];
        return row.GetProperty("wrong").GetInt64() == 0
            ? row.GetProperty("seconds").GetDouble()
            : throw new TestbedException($"an allreduce of {size} bytes is wrong: {said}");
    }

    // With 27 processes that compile what they need for the first, on two processors, one does not answer in time.
    private async Task AnswersAsync()
    {
        const int Attempts = 6;
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                await AllReduceAsync(4_096);
                return;
            }
            catch (Exception e) when (e is TestbedException or InvalidOperationException && attempt < Attempts)
            {
                Console.Error.WriteLine($"attempt {attempt}: {e.Message}");
            }
        }
    }

    public void Dispose()
    {
        _testbed.Dispose();
        Directory.Delete(SocketFolder, recursive: true);
    }
}
