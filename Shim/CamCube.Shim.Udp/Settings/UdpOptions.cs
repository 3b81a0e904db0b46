using System.Globalization;
using System.Net;
using CamCube.Shim.Udp.Endpoints;
using CamCube.Shim.Udp.Sealing;

namespace CamCube.Shim.Udp.Settings;

/// <summary>The settings below <c>CamCube:Udp</c>, checked. Unchanging.</summary>
internal sealed record UdpOptions
{
    private const string Section = "CamCube:Udp";
    private const int LongestKeyFile = 4_096;

    /// <summary>Names, defaults and effects, for people.</summary>
    public static readonly IReadOnlyList<LinkSetting> All =
    [
        new(
            "ClusterKeyFile",
            "none",
            "File with the base64 text of the cluster's key, 32 random bytes or more. This or ClusterKey is required."
        ),
        new("ClusterKey", "none", "The key itself as base64. Whoever reads the configuration reads it."),
        new(
            "Pattern",
            "none",
            "Where all servers are: camcube-{rank}.camcube:7000, also with {x}, {y}, {z}. "
                + "The number is the base port, to which the link's is added."
        ),
        new(
            "Neighbours:{link}",
            "none",
            "Where the neighbour of one link (+x or px, ...) is: the host and the port of that neighbour's opposite "
                + "link. Before Pattern."
        ),
        new(
            "BasePort",
            "7000",
            "Local UDP port of link +x; those of -x +y -y +z -z are the five that follow. 1 to 65529."
        ),
        new(
            "BindAddress",
            "all",
            "Local address, IPv4 or IPv6. Needed where an answer would leave with another address than the "
                + "neighbours expect."
        ),
        new(
            "RankFromHostName",
            "false",
            "Whether the number at the end of the host name (camcube-5) is this server's rank, "
                + "as in a Kubernetes StatefulSet. Instead of CamCube:Coordinate."
        ),
        new(
            "Mtu",
            "1500",
            "Largest IP packet that the network carries, 1280 to 65535. From 9080 on frames have their largest "
                + "size, 9014."
        ),
        new("RekeyInterval", "1h", "Age at which keys are changed, 1 s to 24 h."),
        new("RekeyFrames", "16777216", "Frames after which keys are changed, 1000 to 4294967296."),
        new(
            "SilenceTime",
            "3s",
            "Silence after which a handshake is tried and the neighbour's name is looked up again, 100 ms to 60 s."
        ),
        new(
            "SocketBuffer",
            "4194304",
            "Wanted bytes of the kernel's buffers per neighbour, 65536 to 268435456. The system may allow less "
                + "(net.core.rmem_max, wmem_max)."
        ),
        new(
            "Via",
            "Auto",
            "Batches (Linux: calls for many datagrams at once), Sockets (those of .NET, a call per datagram), "
                + "or Auto: batches on Linux, sockets elsewhere."
        ),
        new("Aggregate", "true", "Whether small packets that wait share a frame. Switched off for measurements only."),
    ];

    public required ClusterKey Key { get; init; }

    public EndpointPattern? Pattern { get; init; }

    /// <summary>What is said of single links.</summary>
    public IReadOnlyDictionary<Link, HostPort> Neighbours { get; init; } = new Dictionary<Link, HostPort>();

    public IPAddress? BindAddress { get; init; }

    public int BasePort { get; init; }

    public bool RankFromHostName { get; init; }

    public int Mtu { get; init; }

    public ChannelOptions Channel { get; init; } = new();

    public int SocketBuffer { get; init; }

    public bool Aggregate { get; init; }

    public PortMedium Via { get; init; }

    /// <summary>Whether datagrams of one length pass through the kernel together. Switched off for measurements only;
    /// no setting.</summary>
    public bool Joins { get; init; } = true;

    /// <summary>Reads them.</summary>
    /// <param name="settings">Flat settings below <c>CamCube:Udp</c>.</param>
    /// <exception cref="LinkProviderException">A value is not allowed or missing; the message names it.</exception>
    public static UdpOptions Read(IReadOnlyDictionary<string, string> settings)
    {
        var values = new LinkSettingValues(Section, settings);
        int basePort = values.Number("BasePort", 7_000, 1, ushort.MaxValue - Links.Cables);
        return new UdpOptions
        {
            Key = ReadKey(values),
            Pattern = ReadPattern(values, basePort),
            Neighbours = ReadNeighbours(settings),
            BindAddress =
                values.Text("BindAddress") is not { } address ? null
                : IPAddress.TryParse(address, out IPAddress? parsed) ? parsed
                : throw values.Wrong("BindAddress", address, "is an IPv4 or IPv6 address of this machine"),
            BasePort = basePort,
            RankFromHostName = values.Flag("RankFromHostName", false),
            Mtu = values.Number("Mtu", 1_500, FrameSizes.LeastMtu, ushort.MaxValue),
            Channel = new ChannelOptions
            {
                RekeyNanos = Nanos(
                    values,
                    "RekeyInterval",
                    TimeSpan.FromHours(1),
                    TimeSpan.FromSeconds(1),
                    TimeSpan.FromHours(24)
                ),
                RekeyFrames = (ulong)values.Number("RekeyFrames", 1L << 24, 1_000, 1L << 32),
                SilenceNanos = Nanos(
                    values,
                    "SilenceTime",
                    TimeSpan.FromSeconds(3),
                    TimeSpan.FromMilliseconds(100),
                    TimeSpan.FromMinutes(1)
                ),
            },
            SocketBuffer = values.Number("SocketBuffer", 4 << 20, 65_536, 256 << 20),
            Aggregate = values.Flag("Aggregate", true),
            Via = values.Choice("Via", PortMedium.Auto),
        };
    }

    private static long Nanos(
        LinkSettingValues values,
        string name,
        TimeSpan otherwise,
        TimeSpan least,
        TimeSpan most
    ) => (long)values.Duration(name, otherwise, least, most).TotalNanoseconds;

    private static ClusterKey ReadKey(LinkSettingValues values)
    {
        const string Allowed =
            "the base64 text of at least 32 random bytes, as head -c 32 /dev/urandom | base64 prints it";
        string? inline = values.Text("ClusterKey"),
            file = values.Text("ClusterKeyFile");
        if ((inline is null) == (file is null))
        {
            throw new LinkProviderException(
                inline is null
                    ? "CamCube:Udp:ClusterKeyFile is required: the key that all servers of the cube share (head -c "
                        + "32 /dev/urandom | base64 > FILE)."
                    : "CamCube:Udp:ClusterKey and CamCube:Udp:ClusterKeyFile are both set; one of them is enough."
            );
        }

        if (inline is not null)
        {
            // The value is a secret, or nearly one: it is not repeated.
            return ClusterKey.TryParse(inline)
                ?? throw new LinkProviderException($"CamCube:Udp:ClusterKey is not a key; allowed is {Allowed}.");
        }

        char[] text = new char[LongestKeyFile];
        int length;
        try
        {
            // A device has no end.
            using StreamReader reader = new(file!);
            length = reader.ReadBlock(text);
        }
        catch (Exception e)
            when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new LinkProviderException($"CamCube:Udp:ClusterKeyFile = '{file}' cannot be read: {e.Message}");
        }

        return (length < LongestKeyFile ? ClusterKey.TryParse(new string(text, 0, length)) : null)
            ?? throw new LinkProviderException(
                $"CamCube:Udp:ClusterKeyFile = '{file}' holds no key; allowed is {Allowed}."
            );
    }

    private static EndpointPattern? ReadPattern(LinkSettingValues values, int basePort)
    {
        if (values.Text("Pattern") is not { } text)
        {
            return null;
        }

        return EndpointPattern.TryParse(text, basePort, out EndpointPattern? pattern) is { } fault
            ? throw new LinkProviderException($"CamCube:Udp:Pattern = '{text}': {fault}.")
            : pattern;
    }

    private static Dictionary<Link, HostPort> ReadNeighbours(IReadOnlyDictionary<string, string> settings)
    {
        const string Beginning = "Neighbours:";
        Dictionary<Link, HostPort> neighbours = [];
        foreach ((string name, string value) in settings)
        {
            if (!name.StartsWith(Beginning, StringComparison.OrdinalIgnoreCase) || string.IsNullOrWhiteSpace(value))
            {
                continue;
            }

            if (!Links.TryParse(name.AsSpan(Beginning.Length), out Link link))
            {
                throw new LinkProviderException(
                    $"CamCube:Udp:{name} is not a link; allowed are +x -x +y -y +z -z, or px mx py my pz mz."
                );
            }

            if (!HostPort.TryParse(value, out HostPort endpoint))
            {
                throw LinkSettingValues.Wrong(
                    Section,
                    name,
                    value,
                    "is host:port, as in 10.0.0.2:7001, [fd00::2]:7001 or camcube-1.camcube:7001"
                );
            }

            if (!neighbours.TryAdd(link, endpoint))
            {
                throw new LinkProviderException($"CamCube:Udp:{name}: the neighbour of {link.Name()} is given twice.");
            }
        }

        return neighbours;
    }
}
