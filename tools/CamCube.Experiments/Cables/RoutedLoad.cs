namespace CamCube.Experiments.Cables;

/// <summary>What one way of routing did in one round (SIGCOMM Fig. 6).</summary>
/// <param name="Keys">Keys of F; 0 for base routing.</param>
/// <param name="PacketsPerSecond">Packets over one cable, both ways: the mean of all.</param>
/// <param name="NanosPerPacket">CPU nanoseconds of all servers per packet and cable.</param>
internal sealed record RoutedLoad(int Keys, double PacketsPerSecond, double NanosPerPacket);
