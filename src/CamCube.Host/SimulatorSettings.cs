using System.ComponentModel.DataAnnotations;
using System.Globalization;
using CamCube.Hosting.Settings;
using CamCube.Simulator.Live;

namespace CamCube.Host;

/// <summary><c>CamCube:Simulator</c>: <see cref="LiveCubeOptions"/> with the ranges that a host accepts.</summary>
internal sealed class SimulatorSettings
{
    private static readonly LiveCubeOptions Defaults = new();

    /// <summary>What <c>--help</c> says.</summary>
    public static IReadOnlyList<SettingDescription> Descriptions { get; } =
    [
        Describe("LinkBitsPerSecond", Defaults.LinkBitsPerSecond, "Rate of each link, 1000000 to 1000000000000."),
        Describe("LinkDelayNanos", Defaults.LinkDelayNanos, "Delay of each cable, 100 to 1000000000."),
        Describe("ReceiveLimit", Defaults.ReceiveLimit, "Frames on a cable and in the receiver's ring, 16 to 1000000."),
        Describe("MaxFrameLength", Defaults.MaxFrameLength, "Largest frame with its Ethernet header, 1514 to 9014."),
        Describe("ColdStart", "false", "Whether servers find each other by flooding, or the cube starts whole."),
        Describe("SpinMicros", Defaults.SpinMicros, "Search for work before the thread sleeps, 0 to 1000000."),
        Describe(
            "TimerGrainMillis",
            Defaults.TimerGrainMillis,
            "Multiples on which a sleeping cube wakes for timers, 1 to 100."
        ),
        Describe("CatchUpMillis", Defaults.CatchUpMillis, "Longest pause that is made up for, 1 to 60000."),
    ];

    /// <inheritdoc cref="LiveCubeOptions.LinkBitsPerSecond"/>
    [Range(1_000_000L, 1_000_000_000_000L)]
    public long LinkBitsPerSecond { get; set; } = Defaults.LinkBitsPerSecond;

    /// <inheritdoc cref="LiveCubeOptions.LinkDelayNanos"/>
    [Range(100L, 1_000_000_000L)]
    public long LinkDelayNanos { get; set; } = Defaults.LinkDelayNanos;

    /// <inheritdoc cref="LiveCubeOptions.ReceiveLimit"/>
    [Range(16, 1_000_000)]
    public int ReceiveLimit { get; set; } = Defaults.ReceiveLimit;

    /// <inheritdoc cref="LiveCubeOptions.MaxFrameLength"/>
    [Range(1_514, 9_014)]
    public int MaxFrameLength { get; set; } = Defaults.MaxFrameLength;

    /// <inheritdoc cref="LiveCubeOptions.ColdStart"/>
    public bool ColdStart { get; set; } = Defaults.ColdStart;

    /// <inheritdoc cref="LiveCubeOptions.SpinMicros"/>
    [Range(0, 1_000_000)]
    public int SpinMicros { get; set; } = Defaults.SpinMicros;

    /// <inheritdoc cref="LiveCubeOptions.TimerGrainMillis"/>
    [Range(1, 100)]
    public int TimerGrainMillis { get; set; } = Defaults.TimerGrainMillis;

    /// <inheritdoc cref="LiveCubeOptions.CatchUpMillis"/>
    [Range(1, 60_000)]
    public int CatchUpMillis { get; set; } = Defaults.CatchUpMillis;

    /// <summary>The same for the cube.</summary>
    public LiveCubeOptions ToLiveCube() =>
        new()
        {
            LinkBitsPerSecond = LinkBitsPerSecond,
            LinkDelayNanos = LinkDelayNanos,
            ReceiveLimit = ReceiveLimit,
            MaxFrameLength = MaxFrameLength,
            ColdStart = ColdStart,
            SpinMicros = SpinMicros,
            TimerGrainMillis = TimerGrainMillis,
            CatchUpMillis = CatchUpMillis,
        };

    private static SettingDescription Describe(string name, object standard, string effect) =>
        new($"CamCube:Simulator:{name}", Convert.ToString(standard, CultureInfo.InvariantCulture)!, effect);
}
