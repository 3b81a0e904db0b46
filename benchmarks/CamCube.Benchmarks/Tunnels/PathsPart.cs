namespace CamCube.Benchmarks.Tunnels;

/// <summary>One flow between two servers whose links have a limit, over all paths that share no link: what comes, in
/// links.</summary>
internal static class PathsPart
{
    private const long LinkBitsPerSecond = 200_000_000;
    private const int Seconds = 5;

    public static async Task RunAsync(int rounds)
    {
        var links = new Rounds();
        var ring = new TorusShape(4, 1, 1);
        using (TunnelHost host = await TunnelHost.StartAsync(ring, LinkBitsPerSecond))
        {
            Measure(host, new Coordinate(2, 0, 0), "ring of four, 2 paths (asked >= 1.8)");
        }

        var cube = new TorusShape(3, 3, 3);
        using (TunnelHost host = await TunnelHost.StartAsync(cube, LinkBitsPerSecond))
        {
            Measure(host, new Coordinate(1, 1, 1), "3x3x3, 3 paths (asked >= 2.6)");
            Measure(host, new Coordinate(1, 1, 0), "3x3x3, 4 paths (asked >= 3.5)");
            Measure(host, new Coordinate(1, 0, 0), "3x3x3, 5 paths (asked >= 4.3)");
        }

        Console.WriteLine("one flow between two servers, links of 200 Mbit/s");
        links.Print("links");

        void Measure(TunnelHost host, Coordinate to, string what)
        {
            string from = host.NamespaceOf(default);
            Peer.Flow(from, host.NamespaceOf(to), host.AddressOf(to), 2);
            for (int round = 0; round < rounds; round++)
            {
                (double rate, _) = Peer.Flow(from, host.NamespaceOf(to), host.AddressOf(to), Seconds);
                links.Add(what, rate / LinkBitsPerSecond);
            }
        }
    }
}
