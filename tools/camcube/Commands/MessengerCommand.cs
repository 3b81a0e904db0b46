using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using Spectre.Console;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube messenger</c>: endpoints with their numbers, and calls between servers.</summary>
internal static class MessengerCommand
{
    private const int MostSize = 1 << 28;

    /// <summary>The commands.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var command = new Command("messenger", "Messages between named endpoints: who has which name, and how fast.")
        {
            Endpoints(common, examples),
            Ping(common, examples),
        };
        examples[command] = """
            camcube messenger endpoints                      names, owners, terms, messages
            camcube messenger ping 0 2,1,2 --count 100       short messages
            camcube messenger ping 0 26 --long --size 10000000
            """;
        return command;
    }

    private static Command Endpoints(CommonOptions common, Dictionary<Command, string> examples)
    {
        var command = new Command("endpoints", "Shows the endpoints of the whole cube, by name.");
        examples[command] = """
            camcube messenger endpoints
            camcube messenger endpoints --json | jq '.[] | select(.dropped > 0)'
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                StatusAnswer status = await host.StatusAsync(cancel);
                string first = status.Servers.FirstOrDefault(s => s.State == "running")?.Coordinate ?? "0,0,0";
                string json = await host.PostAsync(
                    $"/api/servers/{first}/services/messenger/endpoints",
                    TimeSpan.FromSeconds(30),
                    cancel
                );
                EndpointAnswer[] rows = host.Read<EndpointAnswer[]>(json);
                JsonOrText.Print(parsed, common, json, report => Show(report, rows));
                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static Command Ping(CommonOptions common, Dictionary<Command, string> examples)
    {
        Argument<ServerName> from = Values.Server("FROM", "The server that asks");
        Argument<ServerName> to = Values.Server("TO", "The server that answers");
        Option<int> count = Values.Whole("--count", "How many, one after the other", 4, 1, 10_000);
        Option<int> size = Values.Whole(
            "--size",
            "Bytes of question and answer; of the answer with --long",
            56,
            1,
            MostSize
        );
        var isLong = new Option<bool>("--long")
        {
            Description = "The answer is written into a window that the question lends, over all link-disjoint paths.",
        };
        Option<Duration> timeout = Values.Time(
            "--timeout",
            "How long to wait for each answer",
            TimeSpan.FromSeconds(1),
            TimeSpan.FromMilliseconds(1),
            TimeSpan.FromSeconds(60)
        );
        var command = new Command("ping", "Calls the messenger of one server from that of another.")
        {
            from,
            to,
            count,
            size,
            isLong,
            timeout,
        };
        examples[command] = """
            camcube messenger ping 0 2,1,2
            camcube messenger ping 0 26 --long --size 10000000 --timeout 10s
            camcube messenger ping 0 1 --timeout 50ms --json     exit code 1 if not one answer came
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                StatusAnswer status = await host.StatusAsync(cancel);
                string asker = CoordinateOf(parsed.GetValue(from), status),
                    asked = CoordinateOf(parsed.GetValue(to), status);
                if (asker == asked)
                {
                    throw new ToolException(ExitCode.Usage, $"FROM and TO are both server {asker}; name two.");
                }

                TimeSpan patience = parsed.GetValue(timeout).Value;
                int n = parsed.GetValue(count);
                string kind = parsed.GetValue(isLong) ? "true" : "false",
                    what = $"count={n}&size={parsed.GetValue(size)}&long={kind}",
                    wait = $"timeout={(int)patience.TotalMilliseconds}ms",
                    json =
                        await host.PostAsync(
                            $"/api/servers/{asker}/services/messenger/ping?to={asked}&{what}&{wait}",
                            patience * n,
                            cancel
                        );
                MessengerPingAnswer answer = host.Read<MessengerPingAnswer>(json);
                JsonOrText.Print(parsed, common, json, report => Show(report, answer));
                return answer.Replies.Any(reply => reply.Answered) ? ExitCode.Ok : ExitCode.Failed;
            }
        );
        return command;
    }

    // A server that is none is wrong usage here.
    private static string CoordinateOf(ServerName name, StatusAnswer status)
    {
        int rank = name.RankIn(status.Torus);
        return rank >= 0
            ? status.Torus.At(rank).ToString()
            : throw new ToolException(
                ExitCode.Usage,
                $"there is no server '{name.Text}' in a cube {status.Torus}; there are the ranks 0 to "
                    + $"{status.Torus.Count - 1}, or 0,0,0 to {status.Torus.At(status.Torus.Count - 1)}."
            );
    }

    private static void Show(Report report, EndpointAnswer[] rows)
    {
        Table table = Report.Table("name", "id", "owner", "state", ">term", ">received", ">dropped", ">windows");
        foreach (EndpointAnswer row in rows)
        {
            Report.Row(
                table,
                row.Name,
                row.Id,
                row.Owner,
                row.State,
                $"{row.Term}",
                $"{row.Received}",
                $"{row.Dropped}",
                $"{row.Windows}"
            );
        }

        report.Print(table);
        report.Line($"{rows.Length} endpoints");
    }

    private static void Show(Report report, MessengerPingAnswer answer)
    {
        Table table = Report.Table(">ping", "answer", ">round trip us", ">Mbit/s");
        for (int i = 0; i < answer.Replies.Length; i++)
        {
            MessengerReplyAnswer reply = answer.Replies[i];
            Report.Row(
                table,
                $"{i + 1}",
                reply.Status,
                reply.Answered ? Report.Decimal(reply.RoundTripMicros, 1) : "-",
                reply.Answered ? Report.Decimal(answer.Size * 8 / reply.RoundTripMicros, 1) : "-"
            );
        }

        report.Line($"from {answer.From} to {answer.To}, {answer.Size} bytes{(answer.Long ? " into a window" : "")}");
        report.Print(table);
        report.Line($"{answer.Replies.Length} sent, {answer.Replies.Count(reply => reply.Answered)} answered");
    }
}
