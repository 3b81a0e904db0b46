using System.Globalization;
using CamCube.Shim.Ethernet.Frames;

namespace CamCube.Shim.Ethernet.Settings;

/// <summary>The settings below <c>CamCube:Ethernet</c>, checked.</summary>
internal sealed record EthernetOptions
{
    private const string Section = "CamCube:Ethernet";

    /// <summary>Names, defaults and effects, for people.</summary>
    public static readonly IReadOnlyList<LinkSetting> All =
    [
        new(
            "Interfaces",
            "all Ethernet interfaces without an IP address, in name order",
            "The interfaces of the cables: eth1,eth2,... in the order of the shape's links +x,-x,+y,-y,+z,-z, "
                + "or +x=eth1,-x=eth2,..."
        ),
        new(
            "Via",
            "Auto",
            "PacketSocket (Linux), Pcap (libpcap, Npcap, WinPcap), or Auto: packet sockets on Linux, pcap elsewhere."
        ),
        new(
            "Threads",
            "Loop",
            "Loop: the server's own thread moves all frames. PerLink: a thread per link and direction, "
                + "with PacketSocket only."
        ),
        new(
            "SpinMicros",
            "0",
            "Microseconds to look for frames before sleeping: shorter round trips for a busy processor. 0 to 100000."
        ),
        new(
            "CoalesceMicros",
            "100",
            "Microseconds to sleep without being woken by frames that come one after the other; 0: "
                + "every frame wakes. In Loop with PacketSocket only. 0 to 1000."
        ),
        new(
            "MaxFrameLength",
            "9014",
            "Longest frame in bytes with Ethernet header, 590 to 9014; interfaces with a smaller MTU use that."
        ),
        new("Aggregate", "true", "Whether small packets that wait share a frame. Switched off for measurements only."),
        new(
            "ReceiveBuffer",
            "4194304",
            "Bytes of receive ring per link, taken at the start; with PerLink or Pcap a limit. 65536 to 268435456."
        ),
        new(
            "SendBuffer",
            "0",
            "Bytes of the kernel's send buffer per link, 4608 to 268435456; 0 fits 24 frames. "
                + "What waits there passes all queues of services."
        ),
    ];

    /// <summary>Interfaces as written; empty: the free ones.</summary>
    public IReadOnlyList<string> Interfaces { get; init; } = [];

    public PortMedium Via { get; init; }

    public PortThreads Threads { get; init; }

    public long SpinNanos { get; init; }

    public long CoalesceNanos { get; init; } = 100_000;

    public int MaxFrameLength { get; init; } = EthernetHeader.LongestFrame;

    public bool Aggregate { get; init; } = true;

    public int ReceiveBuffer { get; init; } = 4 << 20;

    public int SendBuffer { get; init; }

    /// <summary>Reads them.</summary>
    /// <param name="settings">Flat settings below <c>CamCube:Ethernet</c>.</param>
    /// <exception cref="LinkProviderException">A value is not allowed; the message names it.</exception>
    public static EthernetOptions Read(IReadOnlyDictionary<string, string> settings)
    {
        EthernetOptions defaults = new();
        var values = new LinkSettingValues(Section, settings);
        return new EthernetOptions
        {
            Interfaces = ReadInterfaces(values),
            Via = values.Choice("Via", defaults.Via),
            Threads = values.Choice("Threads", defaults.Threads),
            SpinNanos = values.Number("SpinMicros", 0, 0, 100_000) * 1_000L,
            CoalesceNanos = values.Number("CoalesceMicros", defaults.CoalesceNanos / 1_000, 0, 1_000) * 1_000,
            MaxFrameLength = values.Number("MaxFrameLength", defaults.MaxFrameLength, 590, EthernetHeader.LongestFrame),
            Aggregate = values.Flag("Aggregate", defaults.Aggregate),
            ReceiveBuffer = values.Number("ReceiveBuffer", defaults.ReceiveBuffer, 65_536, 256 << 20),
            SendBuffer = values.Text("SendBuffer") == "0" ? 0 : values.Number("SendBuffer", 0, 4_608, 256 << 20),
        };
    }

    /// <summary>An exception that names a setting, its value and what is allowed, with its verb.</summary>
    public static LinkProviderException Wrong(string name, string value, string allowed) =>
        LinkSettingValues.Wrong(Section, name, value, allowed);

    private static IReadOnlyList<string> ReadInterfaces(LinkSettingValues values)
    {
        // Configuration writes a list as one text, or as Interfaces:0, Interfaces:1, ...
        List<string> names = [];
        if (values.Text("Interfaces") is { } list)
        {
            names.AddRange(list.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries));
        }

        for (int i = 0; values.Text("Interfaces:" + i.ToString(CultureInfo.InvariantCulture)) is { } name; i++)
        {
            names.Add(name);
        }

        return names;
    }
}
