using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using Spectre.Console;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube ping FROM TO</c>: round trips between two servers, by the diagnostics service.</summary>
internal static class PingCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Argument<ServerName> from = Values.Server("FROM", "The server that asks");
        Argument<ServerName> to = Values.Server("TO", "The server that answers");
        Option<int> count = Values.Whole("--count", "How many, one after the other", 4, 1, 10_000);
        Option<int> size = Values.Whole("--size", "Bytes of the body of each packet", 56, 0, 65_535);
        Option<Duration> timeout = Values.Time(
            "--timeout",
            "How long to wait for each answer",
            TimeSpan.FromSeconds(1),
            TimeSpan.FromMilliseconds(1),
            TimeSpan.FromSeconds(60)
        );
        var command = new Command("ping", "Sends packets through the cube from one server to another and back.")
        {
            from,
            to,
            count,
            size,
            timeout,
        };
        examples[command] = """
            camcube ping 0 2,1,2                       four round trips, with the hops each way
            camcube ping 0,0,0 13 --count 100 --size 8000
            camcube ping 0 1 --timeout 50ms --json     exit code 1 if not one answer came
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                string target = await TargetAsync(host, parsed.GetValue(to), cancel);
                TimeSpan patience = parsed.GetValue(timeout).Value;
                int n = parsed.GetValue(count);
                string json = await host.PostAsync(
                    $"/api/servers/{parsed.GetValue(from).Text}/services/diagnostics/ping?to={target}&count={n}"
                        + $"&size={parsed.GetValue(size)}&timeout={(int)patience.TotalMilliseconds}ms",
                    patience * n,
                    cancel
                );
                PingAnswer answer = host.Read<PingAnswer>(json);
                JsonOrText.Print(parsed, common, json, report => Show(report, answer));

                return answer.Replies.Any(reply => reply.Answered) ? ExitCode.Ok : ExitCode.Failed;
            }
        );
        return command;
    }

    // The service takes coordinates only; which one a rank is depends on the shape.
    private static async Task<string> TargetAsync(ToolHost host, ServerName to, CancellationToken cancel)
    {
        if (to.Rank < 0)
        {
            return to.Text;
        }

        StatusAnswer status = await host.StatusAsync(cancel);
        return status.Torus.At(LinksCommand.RankOf(to, status)).ToString();
    }

    private static void Show(Report report, PingAnswer answer)
    {
        Table table = Report.Table(">ping", "answer", ">hops there", ">hops back", ">round trip us");
        for (int i = 0; i < answer.Replies.Length; i++)
        {
            PingReplyAnswer reply = answer.Replies[i];
            if (reply.Answered)
            {
                string micros = Report.Decimal(reply.RoundTripMicros, 1);
                Report.Row(table, $"{i + 1}", "yes", $"{reply.HopsThere}", $"{reply.HopsBack}", micros);
            }
            else
            {
                Report.Row(table, $"{i + 1}", "none", "-", "-", "-");
            }
        }

        report.Line($"from {answer.From} to {answer.To}, {answer.Size} bytes");
        report.Print(table);
        double[] trips = [.. answer.Replies.Where(reply => reply.Answered).Select(reply => reply.RoundTripMicros)];
        string times =
            trips.Length == 0
                ? ""
                : $"; round trip least {Report.Decimal(trips.Min(), 1)}, mean {Report.Decimal(trips.Average(), 1)}, "
                    + $"most {Report.Decimal(trips.Max(), 1)} us";
        report.Line($"{answer.Replies.Length} sent, {trips.Length} answered{times}");
    }
}
