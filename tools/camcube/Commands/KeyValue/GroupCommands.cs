using System.CommandLine;
using System.Globalization;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using Spectre.Console;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary><c>camcube kv groups</c> and <c>status</c>: what the servers of a host say of the store.</summary>
internal static class GroupCommands
{
    private const string Recover = "start the others, or, if their disks are gone for good, camcube kv recover";

    /// <summary><c>groups</c>.</summary>
    public static Command Groups(CommonOptions common, Dictionary<Command, string> examples)
    {
        Option<ServerName?> at = Values.Optional<ServerName>(
            "--at",
            "SERVER",
            "As this server sees them; without it as their leaders do, of the host's servers",
            ServerName.TryParse,
            "is not a server; name it by rank, as in 13, or by coordinate, as in 1,1,1"
        );
        var command = new Command("groups", "Shows the groups of servers that have keys together.") { at };
        examples[command] = """
            camcube kv groups
            camcube kv groups --at 13
            camcube kv groups --json | jq '.[] | select(.leader == null)'
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                StatusAnswer status = await host.StatusAsync(cancel);
                string? only = parsed.GetValue(at)?.In(status.Torus, "--at").ToString();
                List<(string Server, StoreGroupAnswer Row)> all = [];
                foreach (string server in ServersOf(status, only))
                {
                    StoreGroupAnswer[] rows = await AskAsync<StoreGroupAnswer[]>(host, server, "groups", cancel);
                    all.AddRange(rows.Select(row => (server, row)));
                }

                StoreGroupAnswer[] best =
                [
                    .. all.GroupBy(one => one.Row.Group)
                        .Select(same =>
                            same.OrderByDescending(one => one.Row.Generation)
                                .ThenByDescending(one => one.Row.Epoch)
                                .ThenByDescending(one => one.Row.Leader == one.Server)
                                .ThenByDescending(one => one.Row.Index)
                                .First()
                                .Row
                        ),
                ];
                JsonOrText.Print(parsed, common, ToolJson.Of(best), report => Show(report, best));
                return ExitCode.Ok;
            }
        );
        return command;
    }

    /// <summary><c>status</c>.</summary>
    public static Command Status(CommonOptions common, Dictionary<Command, string> examples)
    {
        var command = new Command("status", "Shows the store of each server of the host in numbers.");
        examples[command] = """
            camcube kv status
            camcube kv status --json | jq 'map(.copiesMissing) | add'
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                StatusAnswer status = await host.StatusAsync(cancel);
                List<StoreStatusAnswer> rows = [];
                foreach (string server in ServersOf(status, null))
                {
                    rows.Add(await AskAsync<StoreStatusAnswer>(host, server, "status", cancel));
                }

                JsonOrText.Print(parsed, common, ToolJson.Of(rows), report => Show(report, rows));
                return ExitCode.Ok;
            }
        );
        return command;
    }

    /// <summary>Servers of the host that run the store, those without keys too: then recovery by hand is asked for. At
    /// least one.</summary>
    public static string[] ServersOf(StatusAnswer status, string? only) =>
        ServiceServers.Of(
            status,
            "kv",
            "the key-value store; a host has it with --Services:kv:Enabled=true --DataFolder=FOLDER.",
            only
        );

    private static string Since(double seconds) => string.Create(CultureInfo.InvariantCulture, $"for {seconds:0} s");

    private static async Task<T> AskAsync<T>(ToolHost host, string server, string command, CancellationToken cancel) =>
        host.Read<T>(
            await host.PostAsync($"/api/servers/{server}/services/kv/{command}", TimeSpan.FromSeconds(10), cancel)
        );

    private static void Show(Report report, StoreGroupAnswer[] rows)
    {
        Table table = Report.Table("group", ">epoch", "leader", "members", ">index", ">behind", ">bytes behind");
        foreach (StoreGroupAnswer row in rows)
        {
            IEnumerable<string> members = row.Members.Select(member =>
                member.State == "here" ? member.Server : $"{member.Server} ({member.State})"
            );
            Report.Row(
                table,
                row.Group,
                $"{row.Epoch}",
                row.Leader ?? "-",
                string.Join("  ", members),
                $"{row.Index}",
                $"{row.Behind}",
                Report.Count(row.BehindBytes)
            );
        }

        report.Print(table);
        report.Line(
            $"{rows.Length} groups, {rows.Count(row => row.Leader is null)} without a leader, "
                + $"{rows.Count(row => row.Members.Any(member => member.State != "here"))} with a member away"
        );
        StoreGroupAnswer[] alone = [.. rows.Where(row => row.WithoutMajoritySeconds > 0)];
        if (alone.Length > 0)
        {
            double seconds = alone.Max(row => row.WithoutMajoritySeconds);
            report.Line($"{alone.Length} groups without a majority of their stores, {Since(seconds)}: {Recover}");
        }
    }

    private static void Show(Report report, List<StoreStatusAnswer> rows)
    {
        Table table = Report.Table("server", ">groups", ">led", ">unborn", ">no leader", ">member away", ">behind");
        foreach (StoreStatusAnswer row in rows)
        {
            Report.Row(
                table,
                row.Server,
                $"{row.Groups}",
                $"{row.Led}",
                $"{row.Unborn}",
                $"{row.Leaderless}",
                $"{row.WithAway}",
                $"{row.Behind}"
            );
        }

        report.Print(table);
        Table store = Report.Table(
            "server",
            ">keys",
            ">bytes",
            ">garbage",
            ">copies missing",
            ">fetching",
            ">fetched/s",
            ">rotten",
            ">repaired",
            ">scrubbed"
        );
        foreach (StoreStatusAnswer row in rows)
        {
            Report.Row(
                store,
                row.Server,
                Report.Count(row.Keys),
                Report.Bytes(row.Bytes),
                Report.Bytes(row.GarbageBytes),
                $"{row.CopiesMissing}",
                $"{row.Fetching}",
                Report.Bytes(row.FetchedBytesPerSecond),
                Report.Count(row.Rotten),
                Report.Count(row.Repaired),
                $"{row.ScrubbedPercent} %"
            );
        }

        report.Print(store);
        foreach (StoreStatusAnswer row in rows.Where(row => row.WithoutMajority > 0))
        {
            report.Line(
                $"{row.Server} reaches no majority of the stores of {row.WithoutMajority} groups, "
                    + $"{Since(row.WithoutMajoritySeconds)}: {Recover}"
            );
        }

        foreach (string text in rows.SelectMany(static row => row.Tables ?? []).Distinct())
        {
            // table=copies,reads=...: the same on all servers, unless settings differ.
            string[] parts = text.Split(',');
            string[] head = parts[0].Split('=');
            report.Line($"table {head[0]}: {head[1]} copies, {string.Join(", ", parts[1..])}");
        }

        foreach (StoreStatusAnswer row in rows.Where(row => row.Failure is not null))
        {
            report.Line($"{row.Server} keeps no part of the store: {row.Failure}");
        }

        foreach (StoreStatusAnswer row in rows.Where(row => row.Waiting is not null))
        {
            report.Line($"{row.Server} waits for {row.Waiting}");
        }
    }
}
