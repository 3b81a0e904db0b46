namespace CamCube.Experiments.Cables;

/// <summary>Packets that go round a testbed by base routing or by F, more than the links carry at once.</summary>
/// <param name="testbed">A testbed with the service routed-load.</param>
/// <param name="rateBitsPerSecond">What each link carries, each way.</param>
/// <param name="packetsPerServer">Packets that each server starts.</param>
internal sealed class RoutedLoadRounds(MeasuredTestbed testbed, long rateBitsPerSecond, int packetsPerServer)
{
    private const string Service = "routed-load";
    private const int Body = 9_014 - PacketSizes.Overhead - 16;

    /// <summary>Settings of servers that have the service, and room for all packets in one queue.</summary>
    public static IReadOnlyList<string> Settings { get; } =
    [$"CamCube:Services:{Service}:Assembly=workloads", $"CamCube:Services:{Service}:Queue:LimitPackets=20000"];

    /// <summary>Keys that the shape has different neighbours for.</summary>
    public static int MostKeys(TorusShape shape) =>
        (shape.X > 1 ? 1 : 0) + (shape.Y > 1 ? 1 : 0) + (shape.Z > 1 ? 1 : 0);

    /// <summary>Runs one way of routing and lets all packets end.</summary>
    public RoutedLoad Run(int keys, TimeSpan settle, TimeSpan time)
    {
        // First all know what they are to do, then come the packets.
        testbed.TellAll(Service, $"load?keys={keys}&packets=0&size={Body}&for=600s");
        testbed.TellAll(Service, $"load?keys={keys}&packets={packetsPerServer}&size={Body}&for=600s");
        testbed.Sleep(settle);
        IReadOnlyList<ServerRates> rates = testbed.Measure(time);
        testbed.TellAll(Service, "load?packets=0&for=0s");
        int links = testbed.Shape.CabledLinks(default).Count;
        testbed.Sleep(TimeSpan.FromSeconds(0.3 + (2.0 * packetsPerServer * 9_014 * 8 / (links * rateBitsPerSecond))));

        // Each packet is counted where it is sent and where it is received.
        double crossed = rates.Sum(server => server.Packets / 2.0),
            cables = rates.Count * links / 2.0;
        return new RoutedLoad(
            keys,
            crossed / cables / rates.Average(server => server.Seconds),
            1e9 * rates.Sum(server => server.CpuSeconds) / crossed
        );
    }
}
