using System.Net;
using CamCube.Benchmarks.Distributions;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Tunnels;

/// <summary>A flow from each of 27 servers to each other one (SIGCOMM §3.1, C9): what comes at a server, in links,
/// beside the same over a bridge with a port of one link's rate for each server, as a switch has them.</summary>
internal static class AllToAllPart
{
    private const int EthernetHead = 14;
    private const string Median = ": median per server";
    private static readonly TorusShape Shape = new(3, 3, 3);
    private static readonly TcpLoadOptions Load = new()
    {
        Time = TimeSpan.FromSeconds(10),
        Warmup = TimeSpan.FromSeconds(3),
        Streams = 1,
    };

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
            string tunnel = $"{frameBytes} B",
                marks = $"{frameBytes} B, marks",
                bridge = $"{frameBytes} B, bridge";
            using (TunnelHost host = await TunnelHost.StartAsync(Shape, linkBitsPerSecond, frameBytes))
            {
                TcpLoadEnd[] ends = Ends(
                    rank => host.NamespaceOf(Shape.At(rank)),
                    rank => host.AddressOf(Shape.At(rank))
                );
                await MeasureAsync(ends, linkBitsPerSecond, tunnel);
                host.UseMarks();
                await MeasureAsync(ends, linkBitsPerSecond, marks);
            }

            using (SwitchedServers servers = new(Shape.Count, frameBytes - EthernetHead, linkBitsPerSecond))
            {
                await MeasureAsync(Ends(servers.NameOf, servers.AddressOf), linkBitsPerSecond, bridge);
            }
        }

        Console.WriteLine("702 flows between 27 servers, links, and ports of a bridge, of 8 (1,514 B) and 20 Mbit/s");
        Console.WriteLine("asked of the cube: a median of 1.5 links, and 0.1 % out of order");
        links.Print("links");
        foreach ((int frameBytes, _) in Links)
        {
            links.Ratio(
                $"{frameBytes} B: cube / bridge",
                $"{frameBytes} B{Median}",
                $"{frameBytes} B, bridge{Median}",
                "> 1"
            );
        }

        disorder.Print("% of segments");

        async Task MeasureAsync(TcpLoadEnd[] ends, long linkBitsPerSecond, string what)
        {
            for (int round = 0; round < rounds; round++)
            {
                cancel.ThrowIfCancellationRequested();
                TcpLoadResult all = await new TcpLoad(ends, TcpLoad.AllToAll(ends.Length), Load).RunAsync(
                    static (_, _) => { },
                    cancel
                );
                links.Add($"{what}{Median}", all.MedianBitsPerSecond / linkBitsPerSecond);
                links.Add($"{what}: least", all.LeastBitsPerSecond / linkBitsPerSecond);
                links.Add($"{what}: most", all.MostBitsPerSecond / linkBitsPerSecond);
                disorder.Add($"{what}: out of order", 100.0 * all.OutOfOrder / all.Segments);
                disorder.Add($"{what}: sent again", 100.0 * all.SentAgain / all.Segments);
            }
        }
    }

    private static TcpLoadEnd[] Ends(Func<int, string> nameOf, Func<int, string> addressOf) =>
        [
            .. Enumerable
                .Range(0, Shape.Count)
                .Select(rank => new TcpLoadEnd($"{Shape.At(rank)}", nameOf(rank), IPAddress.Parse(addressOf(rank)))),
        ];
}
