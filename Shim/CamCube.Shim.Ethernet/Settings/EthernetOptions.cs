using System.Globalization;
using CamCube.Shim.Ethernet.Frames;

namespace CamCube.Shim.Ethernet.Settings;

/// <summary>The settings below <c>CamCube:Ethernet</c>, checked.</summary>
internal sealed record EthernetOptions
{
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
        return new EthernetOptions
        {
            Interfaces = ReadInterfaces(settings),
            Via = ReadName(settings, "Via", defaults.Via),
            Threads = ReadName(settings, "Threads", defaults.Threads),
            SpinNanos = ReadNumber(settings, "SpinMicros", 0, 0, 100_000) * 1_000L,
            CoalesceNanos =
                ReadNumber(settings, "CoalesceMicros", (int)(defaults.CoalesceNanos / 1_000), 0, 1_000) * 1_000L,
            MaxFrameLength = ReadNumber(
                settings,
                "MaxFrameLength",
                defaults.MaxFrameLength,
                590,
                EthernetHeader.LongestFrame
            ),
            Aggregate =
                !TryText(settings, "Aggregate", out string text)
                || (bool.TryParse(text, out bool on) ? on : throw Wrong("Aggregate", text, "true, false")),
            ReceiveBuffer = ReadNumber(settings, "ReceiveBuffer", defaults.ReceiveBuffer, 65_536, 256 << 20),
            SendBuffer =
                TryText(settings, "SendBuffer", out text) && text != "0"
                    ? ReadNumber(settings, "SendBuffer", 0, 4_608, 256 << 20)
                    : 0,
        };
    }

    /// <summary>An exception that names a setting, its value and what is allowed.</summary>
    public static LinkProviderException Wrong(string name, string value, string allowed) =>
        new($"CamCube:Ethernet:{name} is '{value}', allowed are {allowed}.");

    private static IReadOnlyList<string> ReadInterfaces(IReadOnlyDictionary<string, string> settings)
    {
        // Configuration writes a list as one text, or as Interfaces:0, Interfaces:1, ...
        List<string> names = [];
        if (TryText(settings, "Interfaces", out string text))
        {
            names.AddRange(text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries));
        }

        for (int i = 0; TryText(settings, "Interfaces:" + i.ToString(CultureInfo.InvariantCulture), out text); i++)
        {
            names.Add(text);
        }

        return names;
    }

    private static T ReadName<T>(IReadOnlyDictionary<string, string> settings, string name, T otherwise)
        where T : struct, Enum
    {
        if (!TryText(settings, name, out string text))
        {
            return otherwise;
        }

        int i = Array.FindIndex(Enum.GetNames<T>(), n => n.Equals(text, StringComparison.OrdinalIgnoreCase));
        return i >= 0 ? Enum.GetValues<T>()[i] : throw Wrong(name, text, string.Join(", ", Enum.GetNames<T>()));
    }

    private static int ReadNumber(
        IReadOnlyDictionary<string, string> settings,
        string name,
        int otherwise,
        int least,
        int most
    )
    {
        if (!TryText(settings, name, out string text))
        {
            return otherwise;
        }

        return
            int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int value)
            && value >= least
            && value <= most
            ? value
            : throw Wrong(name, text, string.Create(CultureInfo.InvariantCulture, $"numbers from {least} to {most}"));
    }

    private static bool TryText(IReadOnlyDictionary<string, string> settings, string name, out string text)
    {
        bool there = settings.TryGetValue(name, out string? value) && !string.IsNullOrWhiteSpace(value);
        text = there ? value!.Trim() : "";
        return there;
    }
}
