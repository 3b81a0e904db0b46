using System.CommandLine;
using System.CommandLine.Parsing;
using CamCube.Swarm.Recordings;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands;

/// <summary>The options with which every experiment of <c>sim</c> shows what happened in its run. Makes no run
/// different.</summary>
internal sealed class RecordingOptions
{
    private readonly Option<string?> _capture = new("--capture")
    {
        Description = "Writes the frames of links into a pcapng file, for Wireshark and tshark.",
        HelpName = "FILE",
    };

    private readonly Option<CapturedLink[]> _links = new("--link")
    {
        Description =
            "A link to capture: a server and a direction, as in 0,0,0:+x or 13:mz. Can be repeated. Default: all.",
        HelpName = "SERVER:DIRECTION",
        Arity = ArgumentArity.OneOrMore,
        CustomParser = ReadLinks,
    };

    private readonly Option<int> _captureFrames = Values.Whole(
        "--capture-frames",
        "Frames after which the capture is cut off",
        1_000_000,
        1,
        1_000_000_000
    );

    private readonly Option<string?> _timeline = new("--timeline")
    {
        Description =
            "Writes packets on links, verdicts, faults and view changes into a JSON file, for ui.perfetto.dev.",
        HelpName = "FILE",
    };

    private readonly Option<int> _timelineEvents = Values.Whole(
        "--timeline-events",
        "Events after which the timeline is cut off",
        250_000,
        1,
        1_000_000_000
    );

    private readonly Option<Duration> _from = Values.Time(
        "--record-from",
        "Virtual time at which capture and timeline begin",
        TimeSpan.Zero,
        TimeSpan.Zero,
        TimeSpan.FromHours(1)
    );

    private readonly Option<TracedPacket?> _tracePacket = Values.Optional<TracedPacket>(
        "--trace-packet",
        "N or SERVER:N",
        "Prints the way of one packet: the N-th that services send in the run, or the N-th of one server.",
        TracedPacket.TryParse,
        "must be the number of a packet, from 1, as in 1000, or that of one server, as in 0,0,0:7"
    );

    /// <summary>Adds the options to the command of an experiment.</summary>
    public void AddTo(Command command)
    {
        command.Add(_capture);
        command.Add(_links);
        command.Add(_captureFrames);
        command.Add(_timeline);
        command.Add(_timelineEvents);
        command.Add(_from);
        command.Add(_tracePacket);
        command.Validators.Add(result =>
        {
            if (result.GetResult(_capture) is null)
            {
                Refuse(result, _links, "--link names links for --capture FILE.");
                Refuse(result, _captureFrames, "--capture-frames goes with --capture FILE.");
            }

            if (result.GetResult(_timeline) is null)
            {
                Refuse(result, _timelineEvents, "--timeline-events goes with --timeline FILE.");
            }
        });
    }

    /// <summary>Whether anything is to be recorded.</summary>
    public bool IsAsked(ParseResult parsed) =>
        Array.Exists(
            (Option[])[_capture, _timeline, _tracePacket],
            option => parsed.GetResult(option) is { Implicit: false }
        );

    /// <summary>What is to be recorded of a run.</summary>
    /// <exception cref="ToolException">There is no such link, or server, in this shape.</exception>
    public RecordingPlan Read(ParseResult parsed, TorusShape shape)
    {
        var links = new List<(Coordinate, Link)>();
        foreach (CapturedLink link in parsed.GetValue(_links) ?? [])
        {
            Coordinate server = link.Server.In(shape, "--link");
            if (!shape.CabledLinks(server).Contains(link.Link))
            {
                throw new ToolException(
                    ExitCode.Usage,
                    $"--link {link.Server.Text}:{link.Link.Name()}: that server has no cable there in a cube of "
                        + $"{shape}."
                );
            }

            links.Add((server, link.Link));
        }

        long from = parsed.GetValue(_from).Value.Ticks * 100;
        TracedPacket? packet = parsed.GetValue(_tracePacket);
        return new RecordingPlan
        {
            Shape = shape,
            CaptureFile = parsed.GetValue(_capture),
            Links = links,
            CaptureFrames = parsed.GetValue(_captureFrames),
            TimelineFile = parsed.GetValue(_timeline),
            TimelineEvents = parsed.GetValue(_timelineEvents),
            FromNanos = from,
            Packet = packet?.Number,
            PacketFrom = packet?.Server is { } name ? name.In(shape, "--trace-packet") : null,
        };
    }

    private static void Refuse(System.CommandLine.Parsing.CommandResult result, Option option, string error)
    {
        if (result.GetResult(option) is { Implicit: false })
        {
            result.AddError(error);
        }
    }

    private static CapturedLink[] ReadLinks(ArgumentResult result)
    {
        var links = new List<CapturedLink>();
        foreach (Token token in result.Tokens)
        {
            if (CapturedLink.TryParse(token.Value, out CapturedLink link))
            {
                links.Add(link);
            }
            else
            {
                result.AddError($"--link '{token.Value}' must be a server and a direction, as in 0,0,0:+x or 13:mz.");
            }
        }

        return [.. links];
    }
}
