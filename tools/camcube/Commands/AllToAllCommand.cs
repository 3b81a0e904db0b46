using System.CommandLine;
using System.CommandLine.Parsing;
using CamCube.Experiments.Throughput;
using CamCube.Simulator.Settings;
using CamCube.Swarm.Recordings;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using Spectre.Console;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube sim all-to-all</c>: HPDC Fig. 5(a).</summary>
internal sealed class AllToAllCommand(CommonOptions common)
{
    private const int MostFrame = 9_014;
    private static readonly TimeSpan Tick = TimeSpan.FromMicroseconds(1);
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);

    private readonly Option<TorusShape?> _shape = Values.Shape(
        "Axis sizes; at least two servers in all.",
        shape => shape.Count < 2 ? "all-to-all needs at least two servers" : null,
        new TorusShape(3, 3, 3)
    );

    private readonly Option<ulong> _seed = Values.Seed();

    private readonly Option<double> _load = new("--load")
    {
        Description = "Offered load as a part of the bound (0.001 to 10)",
        HelpName = "PART",
        DefaultValueFactory = _ => 1,
        CustomParser = Values.Of<double>(
            (string text, out double value) => Quantity.TryNumber(text, out value) && value is >= 0.001 and <= 10,
            "must be a number from 0.001 to 10, as in 0.9"
        ),
    };

    private readonly Option<Duration> _warmup = Values.Time(
        "--warmup",
        "Virtual time before anything is measured",
        TimeSpan.FromMilliseconds(20),
        TimeSpan.Zero,
        Hour
    );

    private readonly Option<Duration> _duration = Values.Time(
        "--duration",
        "Virtual time that is measured",
        TimeSpan.FromMilliseconds(50),
        Tick,
        Hour
    );

    private readonly Option<int> _frame = Values.Whole(
        "--frame",
        "Bytes of each frame with its 14-byte header",
        MostFrame,
        Packet.FrameOverhead,
        MostFrame
    );

    private readonly Option<BitRate> _rate = new("--rate")
    {
        Description = "Rate of each link (1mbit to 100gbit)",
        HelpName = "RATE",
        DefaultValueFactory = _ => new BitRate(1_000_000_000),
        CustomParser = Values.Of<BitRate>(
            BitRate.TryParse,
            "must be a rate from 1mbit to 100gbit with its unit, as in 100mbit or 2.5gbit"
        ),
    };

    private readonly Option<string> _parallelCables = Values.ParallelCables();

    private readonly Option<bool> _coldStart = new("--cold-start")
    {
        Description = "Boot the cube by flooding, during the warm-up, instead of starting it whole.",
    };

    private readonly Option<int> _threads = Values.Whole(
        "--threads",
        "Threads that simulate; the result is the same",
        1,
        1,
        SimulatorOptions.MaxThreads
    );

    private readonly RecordingOptions _recording = new();

    /// <summary>The command.</summary>
    public Command Create(Dictionary<Command, string> examples)
    {
        var command = new Command(
            "all-to-all",
            "Every server sends to all others at a fixed rate (HPDC Fig. 5(a)). Shows what arrives per server "
                + "against the bound links / mean hops x rate, in Gbit/s of frames with their 14-byte header."
        )
        {
            _shape,
            _seed,
            _load,
            _warmup,
            _duration,
            _frame,
            _rate,
            _parallelCables,
            _coldStart,
            _threads,
        };
        _recording.AddTo(command);
        common.RefuseHostOfSimulation(command);
        examples[command] = """
            camcube sim all-to-all                                    27 servers, about a second
            camcube sim all-to-all --shape 8x8x8 --seed 1 --json      one line, the same traceHash every time
            camcube sim all-to-all --shape 5x5x5 --load 0.9 --duration 200ms
            camcube sim all-to-all --shape 4x4x2 --parallel-cables false --frame 1514
            camcube sim all-to-all --trace-packet 1000                the way of the 1,000th packet
            camcube sim all-to-all --capture run.pcapng --link 0,0,0:+x --link 13:-z     for Wireshark
            camcube sim all-to-all --duration 5ms --timeline run.json                    for ui.perfetto.dev
            """;
        command.SetAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancel)
    {
        var options = new AllToAllExperimentOptions
        {
            Shape = parsed.GetValue(_shape)!.Value with { ParallelCables = parsed.GetValue(_parallelCables) == "true" },
            Seed = parsed.GetValue(_seed),
            Load = parsed.GetValue(_load),
            Warmup = parsed.GetValue(_warmup).Value,
            Duration = parsed.GetValue(_duration).Value,
            FrameLength = parsed.GetValue(_frame),
            ColdStart = parsed.GetValue(_coldStart),
            Threads = parsed.GetValue(_threads),
            LinkBitsPerSecond = parsed.GetValue(_rate).BitsPerSecond,
        };
        InvocationConfiguration to = parsed.InvocationConfiguration;
        var progress = new ExperimentProgress(to.Error, options.Warmup + options.Duration, cancel);
        RecordingPlan plan = _recording.Read(parsed, options.Shape);
        AllToAllResult result;
        Recording? recording = null;
        try
        {
            // Not on this thread, which has yet to take care of Ctrl+C.
            (result, recording) = await Task.Run(
                () => plan.Run(recorder => AllToAllExperiment.Run(options, progress.Report, recorder)),
                CancellationToken.None
            );
        }
        finally
        {
            progress.End();
        }

        var report = new Report(to.Output);
        if (parsed.GetValue(common.Json))
        {
            report.Line(ToolJson.Of(result with { PacketTrace = recording?.Steps }));
            foreach (string line in recording?.Warnings() ?? [])
            {
                to.Error.WriteLine($"camcube: {line}");
            }
        }
        else
        {
            report.Print(Show(options, result));
            foreach (string line in recording?.Lines() ?? [])
            {
                report.Line(line);
            }
        }

        return ExitCode.Ok;
    }

    private static Table Show(AllToAllExperimentOptions options, AllToAllResult result)
    {
        Table table = Report.Table("all-to-all", ">value", "");
        Report.Row(table, "shape", options.Shape.ToString(), $"{result.Servers} servers, seed {result.Seed}");
        Report.Row(table, "bound", Report.Decimal(result.BoundGbps, 3), "Gbit/s per server: links / mean hops x rate");
        Report.Row(table, "offered", Report.Decimal(result.OfferedGbps, 3), "Gbit/s per server");
        string part = Report.Decimal(100 * result.PartOfBound, 1);
        string delivered = Report.Decimal(result.DeliveredGbpsPerServer, 3);
        Report.Row(table, "delivered", delivered, $"Gbit/s per server, {part} % of the bound");
        Report.Row(table, "packet hops", Report.Count(result.PacketHops), "in the measured part");
        Report.Row(table, "dropped", Report.Count(result.DroppedPackets), "packets in the measured part");
        string speed = Report.Count((long)result.PacketHopsPerCpuSecond);
        Report.Row(table, "CPU time", Report.Decimal(result.CpuSeconds, 3), $"s, {speed} packet hops per second");
        Report.Row(table, "trace hash", result.TraceHash, "equal in every run of this command");
        return table;
    }
}
