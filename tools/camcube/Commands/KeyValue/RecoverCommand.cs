using System.CommandLine;
using System.Globalization;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using Spectre.Console;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary><c>camcube kv recover</c>: groups go on without stores that are gone for good.</summary>
internal static class RecoverCommand
{
    private const int MostCalls = 20;
    private const int MostShown = 20;
    private static readonly TimeSpan Work = TimeSpan.FromSeconds(60);

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Option<string[]> lost = new("--lost")
        {
            Description =
                "A server whose store is gone for good, by rank (13) or coordinate (1,1,1); as often as wanted",
            HelpName = "SERVER",
            Required = true,
        };
        Option<bool> accept = new("--accept-loss")
        {
            Description = "Do it: what only the lost stores had is lost. Without it nothing is done",
        };
        var command = new Command(
            "recover",
            "Goes on without stores that are gone for good, where no majority of a group's stores is left."
        )
        {
            lost,
            accept,
        };
        examples[command] = """
            camcube kv status                                       which groups have no majority
            camcube kv recover --lost 0,0,0 --lost 1,0,0            says what would be done; exit code 1
            camcube kv recover --lost 0,0,0 --lost 1,0,0 --accept-loss
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                StatusAnswer status = await host.StatusAsync(cancel);
                Coordinate[] named = [.. parsed.GetRequiredValue(lost).Select(text => Read(text, status.Torus))];
                string names = Uri.EscapeDataString(string.Join(' ', named));
                bool does = parsed.GetValue(accept);
                StoreRecoverAnswer first = await AskAsync(host, status, $"lost={names}", does, cancel);
                StoreRecoverAnswer answer = first;

                // The same again, of the same stores: who is named may have another by now.
                string stores = Uri.EscapeDataString(string.Join(' ', first.Lost));
                for (int calls = 1; does && !answer.IsDone && first.Lost.Length > 0 && calls < MostCalls; calls++)
                {
                    answer = await AskAsync(host, status, $"lost={names}&stores={stores}", does, cancel);
                }

                StoreRecoverAnswer all = answer with
                {
                    Groups = first.Groups,
                    Lost = first.Lost,
                    Healthy = first.Healthy,
                };
                JsonOrText.Print(parsed, common, ToolJson.Of(all), report => Show(report, all, does));
                return does
                    ? answer.IsDone || all.Groups.Length + all.Lost.Length == 0
                        ? ExitCode.Ok
                        : ExitCode.Unavailable
                    : all.Groups.Length > 0
                        ? ExitCode.Failed
                        : ExitCode.Ok;
            }
        );
        return command;
    }

    private static async Task<StoreRecoverAnswer> AskAsync(
        ToolHost host,
        StatusAnswer status,
        string what,
        bool does,
        CancellationToken cancel
    )
    {
        // Any server of the store can; one that was given up itself cannot.
        ToolException? last = null;
        foreach (string server in GroupCommands.ServersOf(status, null))
        {
            StoreStatusAnswer row = host.Read<StoreStatusAnswer>(
                await host.PostAsync($"/api/servers/{server}/services/kv/status", TimeSpan.FromSeconds(10), cancel)
            );
            if (row.Failure is { } failure)
            {
                last = new ToolException(
                    ExitCode.Unavailable,
                    $"server {server} keeps no part of the store: {failure}"
                );
                continue;
            }

            string path = $"/api/servers/{server}/services/kv/recover?{what}&acceptLoss={(does ? "true" : "false")}";
            return host.Read<StoreRecoverAnswer>(await host.PostAsync(path, Work, cancel));
        }

        throw last!;
    }

    private static void Show(Report report, StoreRecoverAnswer answer, bool does)
    {
        if (answer.Groups.Length == 0)
        {
            report.Line(
                answer.Lost.Length == 0 ? "nothing to recover: no store is known that these servers have lost"
                : answer.Healthy > 0
                    ? $"nothing to recover: {Groups(answer.Healthy)} had a lost store, and a majority of each is there"
                : "nothing to recover: a majority of each group is there"
            );
            if (does && answer.Lost.Length > 0)
            {
                report.Line($"given up for ever: {string.Join(" ", answer.Lost)}");
            }

            return;
        }

        ShowGroups(report, answer.Groups);
        if (answer.Healthy > 0 && answer.Groups.Length > 0)
        {
            report.Line($"{Groups(answer.Healthy)} with a lost store go on by themselves");
        }

        if (!does)
        {
            report.Line(
                $"given up for ever would be {string.Join(" ", answer.Lost)}; nothing was done: --accept-loss does it"
            );
            return;
        }

        report.Line($"given up for ever: {string.Join(" ", answer.Lost)}");
        report.Line(
            answer.IsDone
                ? $"done: {Groups(answer.Groups.Length)} of a new generation; copies are made now: camcube kv status"
                : $"not done yet: {answer.Waiting}; the same command goes on"
        );
    }

    private static void ShowGroups(Report report, StoreRecoverGroupAnswer[] groups)
    {
        if (groups.Length == 0)
        {
            return;
        }

        Table table = Report.Table("group", "lost", "goes on with", "members then", ">generation", "may be missing");
        foreach (StoreRecoverGroupAnswer row in groups.Take(MostShown))
        {
            Report.Row(
                table,
                row.Group,
                string.Join(" ", row.Lost),
                row.Base is null ? "nothing" : $"{row.Base} to {row.Index}",
                string.Join(" ", row.Members),
                $"{row.Generation}",
                Missing(row)
            );
        }

        report.Print(table);
        if (groups.Length > MostShown)
        {
            report.Line($"and {groups.Length - MostShown} more: --json has all");
        }

        int gone = groups.Count(static row => row.Missing == "all");
        report.Line(
            $"{Groups(groups.Length)} cannot go on by themselves{(gone > 0 ? $"; of {gone} nothing is left" : "")}"
        );
    }

    private static string Missing(StoreRecoverGroupAnswer row) =>
        row.Missing switch
        {
            "all" => "all: no copy is left",
            "afterHeard" => row.HeardSeconds is { } seconds
                ? string.Create(
                    CultureInfo.InvariantCulture,
                    $"what others did after it heard a leader, {seconds:0.0} s ago"
                )
                : "what others did after it heard a leader; not since it started",
            _ => "anything that only lost stores had",
        };

    private static string Groups(int count) => count == 1 ? "1 group" : $"{Report.Count(count)} groups";

    private static Coordinate Read(string text, TorusShape shape) =>
        ServerName.TryParse(text, out ServerName name)
            ? name.In(shape, "--lost")
            : throw new ToolException(
                ExitCode.Usage,
                $"--lost '{text}' is not a server; name it by rank, as in 13, or by coordinate, as in 1,1,1."
            );
}
