using System.Net;

namespace CamCube.Shim.Switch.Settings;

/// <summary>The settings below <c>CamCube:Switch</c>, checked. Unchanging.</summary>
internal sealed record SwitchOptions
{
    private const string Section = "CamCube:Switch";

    /// <summary>Names, defaults and effects, for people.</summary>
    public static readonly IReadOnlyList<LinkSetting> All =
    [
        new(
            "Servers",
            "none",
            "Where all servers are, address:port each: one after the other in the order of their ranks, or one text "
                + "with {rank} or {rank+N} in it, as in 10.0.0.{rank+1}:7100. Required."
        ),
        new("MaxFrameLength", "9014", "Longest frame, 1514 to 9014; the same on all servers."),
        new("QueueBytes", "1048576", "Bytes that may wait for one server, 16384 to 268435456."),
        new(
            "FullTime",
            "100ms",
            "How long a link waits for a server whose queue is full, 1 ms to 10 s; then what is for that server is "
                + "dropped until half of its queue has left."
        ),
        new(
            "SilenceTime",
            "3s",
            "A connection is closed on which nothing came, or nothing left although much waits, for so long, 100 ms to "
                + "60 s. As long may a greeting take."
        ),
        new("Strangers", "64", "Connections at once that have not said who they are, 1 to 4096; others are closed."),
    ];

    /// <summary>By rank.</summary>
    public required IReadOnlyList<IPEndPoint> Servers { get; init; }

    public int MaxFrameLength { get; init; } = 9_014;

    public int QueueBytes { get; init; } = 1 << 20;

    public long FullNanos { get; init; } = 100_000_000;

    public long SilenceNanos { get; init; } = 3_000_000_000;

    public int Strangers { get; init; } = 64;

    /// <summary>Reads them.</summary>
    /// <param name="settings">Flat settings below <c>CamCube:Switch</c>.</param>
    /// <param name="shape">The cube.</param>
    /// <exception cref="LinkProviderException">A value is not allowed or missing; the message names it.</exception>
    public static SwitchOptions Read(IReadOnlyDictionary<string, string> settings, TorusShape shape)
    {
        var values = new LinkSettingValues(Section, settings);
        string servers =
            values.Text("Servers")
            ?? throw new LinkProviderException(
                $"{Section}:Servers is required: where all servers are, as in 10.0.0.{{rank+1}}:7100."
            );
        return new SwitchOptions
        {
            Servers = ServerAddresses.TryParse(servers, shape.Count, out IReadOnlyList<IPEndPoint> all) is { } fault
                ? throw new LinkProviderException($"{Section}:Servers = '{servers}': {fault}.")
                : all,
            MaxFrameLength = values.Number("MaxFrameLength", 9_014, 1_514, 9_014),
            QueueBytes = values.Number("QueueBytes", 1 << 20, 16_384, 256 << 20),
            FullNanos = Nanos(values, "FullTime", 0.1, 0.001, 10),
            SilenceNanos = Nanos(values, "SilenceTime", 3, 0.1, 60),
            Strangers = values.Number("Strangers", 64, 1, 4_096),
        };
    }

    private static long Nanos(LinkSettingValues values, string name, double otherwise, double least, double most) =>
        (long)
            values
                .Duration(
                    name,
                    TimeSpan.FromSeconds(otherwise),
                    TimeSpan.FromSeconds(least),
                    TimeSpan.FromSeconds(most)
                )
                .TotalNanoseconds;
}
