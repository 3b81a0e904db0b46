namespace CamCube.Benchmarks.Tunnels;

/// <summary>One flow between two servers whose links have a limit, over all paths that share no link: what comes, in
/// links.</summary>
internal static class PathsPart
{
    private const long LinkBitsPerSecond = 200_000_000;
    private const int Seconds = 5;
    private const int WarmSeconds = 2;

    public static async Task RunAsync(int rounds, CancellationToken cancel)
    {
        var links = new Rounds();
        foreach (int frameBytes in (int[])[TunnelHost.Ordinary, TunnelHost.Jumbo])
        {
            await MeasureAsync(new TorusShape(4, 1, 1), [(new Coordinate(2, 0, 0), "2 paths (asked >= 1.8)")]);
            await MeasureAsync(
                new TorusShape(3, 3, 3),
                [
                    (new Coordinate(1, 1, 1), "3 paths (asked >= 2.6)"),
                    (new Coordinate(1, 1, 0), "4 paths (asked >= 3.5)"),
                    (new Coordinate(1, 0, 0), "5 paths (asked >= 4.3)"),
                ]
            );

            async Task MeasureAsync(TorusShape shape, (Coordinate To, string What)[] pairs)
            {
                using TunnelHost host = await TunnelHost.StartAsync(shape, LinkBitsPerSecond, frameBytes);
                string from = host.NamespaceOf(default);
                foreach ((Coordinate to, string what) in pairs)
                {
                    (string name, string address) = (host.NamespaceOf(to), host.AddressOf(to));
                    await Iperf.FlowAsync(from, name, address, WarmSeconds, cancel);
                    for (int round = 0; round < rounds; round++)
                    {
                        (double rate, _) = await Iperf.FlowAsync(from, name, address, Seconds, cancel);
                        links.Add($"{shape}, {frameBytes} B, {what}", rate / LinkBitsPerSecond);
                    }
                }
            }
        }

        Console.WriteLine("one flow between two servers, links of 200 Mbit/s");
        links.Print("links");
    }
}
