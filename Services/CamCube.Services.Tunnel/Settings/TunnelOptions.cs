using System.ComponentModel.DataAnnotations;
using System.Net;

namespace CamCube.Services.Tunnel;

/// <summary>Settings of the tunnel (<c>CamCube:Services:tunnel</c>). The networks are the same on all servers of a
/// cube.</summary>
public sealed class TunnelOptions : IValidatableObject
{
    // The most a TAP allows, with its Ethernet header 64 KiB less one; the least is that of IPv6 (RFC 8200).
    private const int MostMtu = 65_521,
        LeastMtu = 1_280;

    /// <summary>Name of the network interface of a server, 1 to 15 letters, digits, hyphens. Default <c>cc0</c>.
    /// </summary>
    [RegularExpression("[A-Za-z0-9-]{1,15}")]
    public string Interface { get; set; } = "cc0";

    /// <summary>Empty, the default: the interface is in the network of the host's process. Otherwise the first part of
    /// the names of network namespaces, letters, digits, hyphens: server 1,2,0 has <c>NAME-1-2-0</c>, which is made if
    /// it is not there, and then is gone with the host. Needed where several servers share a process.</summary>
    [RegularExpression("[A-Za-z0-9-]{0,40}")]
    public string Namespace { get; set; } = "";

    /// <summary>IPv4 network of the cube. Server of rank r has its first address, plus one, plus r. Default
    /// <c>10.77.0.0/16</c>. Nobody else on the machine may use it.</summary>
    public string Network4 { get; set; } = "10.77.0.0/16";

    /// <summary>IPv6 network of the cube, 64 bits. Server x,y,z has <c>1:x:y:z</c> in it. Default
    /// <c>fd37:cc:77::/64</c>; two cubes that meet need two.</summary>
    public string Network6 { get; set; } = "fd37:cc:77::/64";

    /// <summary>Servers whose machines pass on packets to and from other networks, as <c>1,2,0</c>. Default none. Who
    /// sends there uses the nearest one that lives. Only these may send from addresses that are not of the cube: the
    /// same list on all servers.</summary>
    public IReadOnlyList<string> Gateways { get; set; } = [];

    /// <summary>Whether a machine sends what is for other networks to the gateway. Default false. It is a route like
    /// any other, and those that the machine has already go first. Gateways get none.</summary>
    public bool DefaultRoute { get; set; }

    /// <summary>The server whose machine may have its card in a bridge, as <c>1,2,0</c>: machines behind it and servers
    /// of the cube reach each other by Ethernet addresses. Empty, the default: none. One only, so that there are no
    /// loops; frames of strange machines come in at no other server. The same on all servers.</summary>
    public string Bridge { get; set; } = "";

    /// <summary>Machines behind the bridge that its server knows at a time, 16 to 65,536, in eights. Default 1,024.
    /// With more those that servers send to stay, and the others replace each other. A machine that is not known is
    /// sent nothing until it sends again.</summary>
    [Range(16, 65_536)]
    public int BridgedMachines { get; set; } = 1_024;

    /// <summary>After how long without a frame a machine behind the bridge is forgotten, 1 s to 1 h. Default 5 min, as
    /// bridges of Linux have it. Longer: a hostile machine that made up others keeps their places for
    /// longer.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "01:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan BridgedTime { get; set; } = TimeSpan.FromMinutes(5);

    /// <summary>Bytes of the longest IP packet of the card, 1,280 to 65,521; 0, the default: what fits in one packet of
    /// the cube. The same on all servers. Longer ones travel in pieces: fewer, longer frames, but one lost piece costs
    /// all of its frame, and a short one waits behind a long one.</summary>
    [Range(0, MostMtu)]
    public int Mtu { get; set; }

    /// <summary>Frames whose pieces are put together at a time, for all senders, 1 to 4,096. Default 64. Each is 64 KiB
    /// of memory, from when it is first needed. With more the sender that has most of them loses its oldest.</summary>
    [Range(1, 4_096)]
    public int JoinedFrames { get; set; } = 64;

    /// <summary>How long a frame that is put together waits for its next piece, 1 ms to 1 min. Default 1 s. Less than a
    /// sender's queues take to send one piece after the other: frames are lost.</summary>
    [Range(typeof(TimeSpan), "00:00:00.001", "00:01:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan PieceWait { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>Bytes that wait for one server, 64 KiB to 64 MiB. Default 4 MiB. With more the flow that has most of
    /// them loses its oldest. Less: long flows lose packets before <see cref="QueueTarget"/> can slow them.</summary>
    [Range(64 << 10, 64 << 20)]
    public int QueueBytes { get; set; } = 4 << 20;

    /// <summary>Packets that wait for all servers together, as many that pass through and wait for their link, and as
    /// many that wait for their turn after they came, 64 to 65,536. Default 1,024. Each is one of
    /// <c>CamCube:PacketBudget</c>. With more the server that has most of them loses some.</summary>
    [Range(64, 65_536)]
    public int QueuePackets { get; set; } = 1_024;

    /// <summary>How long packets of a flow may always wait to leave (CoDel's target, RFC 8289), 100 us to 1 s.
    /// Default 5 ms. Longer: longer waits; shorter than a flow needs to use its links: it is slowed too much.</summary>
    [Range(typeof(TimeSpan), "00:00:00.0001", "00:00:01", ParseLimitsInInvariantCulture = true)]
    public TimeSpan QueueTarget { get; set; } = TimeSpan.FromMilliseconds(5);

    /// <summary>How long they may wait longer than that before packets are marked (ECN) or dropped so that their sender
    /// slows down (CoDel's interval), 1 ms to 10 s. Default 100 ms. About the longest round trip.</summary>
    [Range(typeof(TimeSpan), "00:00:00.001", "00:00:10", ParseLimitsInInvariantCulture = true)]
    public TimeSpan QueueInterval { get; set; } = TimeSpan.FromMilliseconds(100);

    /// <summary>Frames that are read of the card in one turn of the loop, 1 to 1,024, and no more than 256 KiB.
    /// Default 16. More: fewer turns, and packets on their way wait longer.</summary>
    [Range(1, 1_024)]
    public int FramesPerTurn { get; set; } = 16;

    /// <summary>Whether the machine may leave checksums, and the cutting of long packets, to the tunnel: then
    /// 64 KiB pass between them with one call. Default true.</summary>
    public bool Offloads { get; set; } = true;

    /// <summary>Over which of the paths to a server its packets go. Default <see cref="TunnelPaths.All"/>.</summary>
    public TunnelPaths Paths { get; set; } = TunnelPaths.All;

    /// <summary>Longest time that a packet waits for an earlier one of its lane that may be lost, 100 us to 1 s.
    /// Default 200 ms, the same on all servers. Where paths differ less the wait is shorter, to 20 ms. Shorter than
    /// paths differ: packets come out of order.</summary>
    [Range(typeof(TimeSpan), "00:00:00.0001", "00:00:01", ParseLimitsInInvariantCulture = true)]
    public TimeSpan MostWait { get; set; } = TimeSpan.FromMilliseconds(200);

    /// <summary>How often in a second the machine is told at most that a server cannot be reached, 0 to 100,000.
    /// Default 100. Less: programs wait for their own time-outs.</summary>
    [Range(0, 100_000)]
    public int UnreachablePerSecond { get; set; } = 100;

    /// <summary>How long to wait before a card that could not be made, or was deleted, is made again, 100 ms to 1 h.
    /// Default 5 s.</summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "01:00:00", ParseLimitsInInvariantCulture = true)]
    public TimeSpan RetryTime { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>The network namespace that the card of a server is in; null: that of the process.</summary>
    internal string? NamespaceOf(Coordinate server) =>
        Namespace.Length == 0 ? null : $"{Namespace}-{server.X}-{server.Y}-{server.Z}";

    /// <inheritdoc/>
    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        if (!IPNetwork.TryParse(Network4, out IPNetwork network4) || !IsOf(network4, bytes: 4, least: 8, most: 30))
        {
            yield return new ValidationResult(
                $"Network4 = '{Network4}' is no IPv4 network of 8 to 30 bits, as in 10.77.0.0/16.",
                [nameof(Network4)]
            );
        }

        if (!IPNetwork.TryParse(Network6, out IPNetwork network6) || !IsOf(network6, bytes: 16, least: 64, most: 64))
        {
            yield return new ValidationResult(
                $"Network6 = '{Network6}' is no IPv6 network of 64 bits, as in fd37:cc:77::/64.",
                [nameof(Network6)]
            );
        }

        foreach (string gateway in Gateways)
        {
            if (!Coordinate.TryParse(gateway, out _))
            {
                yield return new ValidationResult(
                    $"Gateways: '{gateway}' is no server: three numbers, as in 1,2,0.",
                    [nameof(Gateways)]
                );
            }
        }

        if (Bridge.Length > 0 && !Coordinate.TryParse(Bridge, out _))
        {
            yield return new ValidationResult(
                $"Bridge = '{Bridge}' is no server: three numbers, as in 1,2,0.",
                [nameof(Bridge)]
            );
        }

        if (Mtu is > 0 and < LeastMtu)
        {
            yield return new ValidationResult(
                $"Mtu = {Mtu} is neither 0 nor {LeastMtu} to {MostMtu}: IPv6 needs {LeastMtu}.",
                [nameof(Mtu)]
            );
        }
    }

    private static bool IsOf(IPNetwork network, int bytes, int least, int most) =>
        network.BaseAddress.GetAddressBytes().Length == bytes
        && network.PrefixLength >= least
        && network.PrefixLength <= most;
}
