using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube trace FROM TO</c>: the way of a packet, hop by hop, by the diagnostics service.</summary>
internal static class TraceCommand
{
    // What the service waits at most: for the whole way, and twice for the first server that is silent. A trace whose
    // way is too long for its room is sent again.
    private const int Waits = 4;

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Argument<ServerName> from = Values.Server("FROM", "Where the way begins; any server of the cube");
        Argument<ServerName> to = Values.Server("TO", "Where it ends");
        var service = new Option<string?>("--service")
        {
            HelpName = "NAME",
            Description = "Also say whether this service runs at each hop. Not for one that routes by a function",
        };
        Option<Duration> timeout = Values.Time(
            "--timeout",
            "How long to wait for each answer",
            TimeSpan.FromSeconds(1),
            TimeSpan.FromMilliseconds(1),
            TimeSpan.FromSeconds(60)
        );
        var command = new Command("trace", "Shows the way of a packet through the cube, hop by hop.")
        {
            from,
            to,
            service,
            timeout,
        };
        examples[command] = """
            camcube trace 0 2,1,2                     every server on the way, its links, its clock, what waits there
            camcube trace 0 13 --service cache        and whether the cache runs there
            camcube trace 0 1 --timeout 50ms --json   exit code 1 if it did not arrive
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                StatusAnswer status = await host.StatusAsync(cancel);
                int begin = LinksCommand.RankOf(parsed.GetValue(from), status);
                int end = LinksCommand.RankOf(parsed.GetValue(to), status);
                TimeSpan patience = parsed.GetValue(timeout).Value;
                string json = await host.PostAsync(
                    PathOf(status, begin, end, parsed.GetValue(service), patience),
                    patience * Waits,
                    cancel
                );
                TraceAnswer answer = host.Read<TraceAnswer>(json);
                bool isOneClock = status.Shim == "Simulator";
                JsonOrText.Print(parsed, common, json, report => TraceText.Show(report, answer, isOneClock));
                return answer.End == "arrived" ? ExitCode.Ok : ExitCode.Failed;
            }
        );
        return command;
    }

    // A host of one server asks for a way that begins at another one through the cube.
    private static string PathOf(StatusAnswer status, int begin, int end, string? service, TimeSpan patience)
    {
        if (status.Servers is not [var first, ..])
        {
            throw new ToolException(ExitCode.Failed, "the host has no server yet: it waits for its place.");
        }

        bool isHere = status.Servers.Any(server => server.Rank == begin);
        string path =
            $"/api/servers/{(isHere ? begin : first.Rank)}/services/diagnostics/trace?to={status.Torus.At(end)}"
            + $"&timeout={(int)patience.TotalMilliseconds}ms";
        path += isHere ? "" : $"&from={status.Torus.At(begin)}";
        return service is null ? path : $"{path}&service={Uri.EscapeDataString(service)}";
    }
}
