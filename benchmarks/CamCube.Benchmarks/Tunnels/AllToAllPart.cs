using System.Globalization;
using System.Text.Json;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Tunnels;

/// <summary>A flow from each of 27 servers to each other one (SIGCOMM §3.1, C9): what comes at a server, in links. A
/// switch, or a bridge, with a port of one link's rate for each server gives less than one.</summary>
internal static class AllToAllPart
{
    // 27 servers, each with 1.5 links and two hops a packet, are what two processors carry.
    private const long LinkBitsPerSecond = 20_000_000;

    public static async Task RunAsync(int rounds, CancellationToken cancel)
    {
        Rounds links = new(),
            disorder = new();
        string tool = BuiltProgram.Find("camcube", "camcube.dll");
        using (TunnelHost host = await TunnelHost.StartAsync(new TorusShape(3, 3, 3), LinkBitsPerSecond))
        {
            for (int round = 0; round < rounds; round++)
            {
                cancel.ThrowIfCancellationRequested();
                string said = Programs.Run(
                    "dotnet",
                    [
                        tool,
                        "tunnel",
                        "load",
                        "--for",
                        "10s",
                        "--warmup",
                        "3s",
                        "--json",
                        "--host",
                        string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{host.HttpPort}"),
                    ]
                );
                using var json = JsonDocument.Parse(said);
                JsonElement all = json.RootElement;
                double Number(string name) => all.GetProperty(name).GetDouble();
                links.Add(
                    "median received per server (asked >= 1.5)",
                    Number("medianBitsPerSecond") / LinkBitsPerSecond
                );
                links.Add("least", Number("leastBitsPerSecond") / LinkBitsPerSecond);
                links.Add("most", Number("mostBitsPerSecond") / LinkBitsPerSecond);
                disorder.Add("out of order (asked <= 0.1)", 100 * Number("outOfOrder") / Number("segments"));
                disorder.Add("sent again", 100 * Number("sentAgain") / Number("segments"));
            }
        }

        Console.WriteLine("702 flows between 27 servers, links of 20 Mbit/s");
        links.Print("links");
        disorder.Print("% of segments");
    }
}
