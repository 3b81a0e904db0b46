namespace CamCube.Services.Tunnel.Commands;

/// <summary>The tunnel of one server, in JSON.</summary>
/// <param name="Server">The server.</param>
/// <param name="Interface">Its network card.</param>
/// <param name="Namespace">The network namespace that it is in; nothing: that of the process.</param>
/// <param name="Address4">Its IPv4 address.</param>
/// <param name="Address6">Its IPv6 address.</param>
/// <param name="Mtu">Bytes of the longest IP packet.</param>
/// <param name="Offloads">Work that the machine leaves to the tunnel; nothing: there is no card.</param>
/// <param name="Failure">What is wrong, mostly why there is no card; nothing: nothing.</param>
/// <param name="Read">Frames that the machine sent into the cube.</param>
/// <param name="ReadBytes">Their bytes.</param>
/// <param name="Written">Frames that it was given.</param>
/// <param name="WrittenBytes">Their bytes.</param>
/// <param name="Full">Packets, and frames, for which there was no room.</param>
/// <param name="Marked">Packets that were marked because others waited too long.</param>
/// <param name="Shed">Packets that were dropped because they waited too long.</param>
/// <param name="Lost">Packets that did not come, as far as their numbers say.</param>
/// <param name="Late">Packets that came out of order.</param>
/// <param name="Leaving">Packets that wait to leave.</param>
/// <param name="Coming">Packets that came, and wait for earlier ones.</param>
/// <param name="BridgedMachines">Machines that are known behind the bridge, if it is here.</param>
internal sealed record TunnelRow(
    string Server,
    string Interface,
    string? Namespace,
    string Address4,
    string Address6,
    int Mtu,
    string? Offloads,
    string? Failure,
    long Read,
    long ReadBytes,
    long Written,
    long WrittenBytes,
    long Full,
    long Marked,
    long Shed,
    long Lost,
    long Late,
    int Leaving,
    int Coming,
    int BridgedMachines
);
