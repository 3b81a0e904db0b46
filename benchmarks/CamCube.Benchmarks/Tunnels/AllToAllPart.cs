using System.Globalization;
using System.Text.Json;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Tunnels;

/// <summary>A flow from each of 27 servers to each other one (SIGCOMM §3.1, C9): what comes at a server, in links. A
/// switch, or a bridge, with a port of one link's rate for each server gives less than one.</summary>
internal static class AllToAllPart
{
    // 27 servers, each with 1.5 links and three hops a packet, are what two processors carry.
    private static readonly (int FrameBytes, long LinkBitsPerSecond)[] Links =
    [
        (TunnelHost.Ordinary, 8_000_000),
        (TunnelHost.Jumbo, 20_000_000),
    ];

    public static async Task RunAsync(int rounds, CancellationToken cancel)
    {
        Rounds links = new(),
            disorder = new();
        foreach ((int frameBytes, long linkBitsPerSecond) in Links)
        {
            using TunnelHost host = await TunnelHost.StartAsync(new TorusShape(3, 3, 3), linkBitsPerSecond, frameBytes);
            await MeasureAsync(host, linkBitsPerSecond, $"{frameBytes} B");
            host.UseMarks();
            await MeasureAsync(host, linkBitsPerSecond, $"{frameBytes} B, marks");
        }

        Console.WriteLine("702 flows between 27 servers, links of 8 (1,514 B) and 20 Mbit/s");
        links.Print("links");
        disorder.Print("% of segments");

        async Task MeasureAsync(TunnelHost host, long linkBitsPerSecond, string what)
        {
            for (int round = 0; round < rounds; round++)
            {
                cancel.ThrowIfCancellationRequested();
                using JsonDocument json = await LoadAsync(host);
                JsonElement all = json.RootElement;
                double Number(string name) => all.GetProperty(name).GetDouble();
                links.Add(
                    $"{what}: median received per server (asked >= 1.5)",
                    Number("medianBitsPerSecond") / linkBitsPerSecond
                );
                links.Add($"{what}: least", Number("leastBitsPerSecond") / linkBitsPerSecond);
                links.Add($"{what}: most", Number("mostBitsPerSecond") / linkBitsPerSecond);
                disorder.Add($"{what}: out of order (asked <= 0.1)", 100 * Number("outOfOrder") / Number("segments"));
                disorder.Add($"{what}: sent again", 100 * Number("sentAgain") / Number("segments"));
            }
        }
    }

    private static Task<JsonDocument> LoadAsync(TunnelHost host) =>
        Task.Run(() =>
            JsonDocument.Parse(
                Programs.Run(
                    "dotnet",
                    [
                        BuiltProgram.Find("camcube", "camcube.dll"),
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
                )
            )
        );
}
