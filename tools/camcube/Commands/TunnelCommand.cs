using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using Spectre.Console;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube tunnel</c>: the network cards of a host's servers, names for a hosts file,
/// and a load.</summary>
internal static class TunnelCommand
{
    /// <summary>The commands.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var command = new Command("tunnel", "The network cards by which programs use the cube; names, addresses, load.")
        {
            Status(common, examples),
            Hosts(common, examples),
            TunnelLoadCommand.Create(common, examples, RowsAsync),
        };
        examples[command] = """
            camcube tunnel status
            camcube tunnel hosts | sudo tee -a /etc/hosts    so that 1-2-0.camcube.internal is a name
            sudo camcube tunnel load                         what TCP between all servers makes of the cables
            """;
        return command;
    }

    private static Command Status(CommonOptions common, Dictionary<Command, string> examples)
    {
        var command = new Command("status", "Shows the network card of each server of the host.");
        examples[command] = """
            camcube tunnel status
            camcube tunnel status --json | jq '.[] | select(.failure)'
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                List<TunnelStatusAnswer> rows = await RowsAsync(host, cancel);
                JsonOrText.Print(parsed, common, ToolJson.Of(rows), report => Show(report, rows));
                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static Command Hosts(CommonOptions common, Dictionary<Command, string> examples)
    {
        var command = new Command("hosts", "Prints names and addresses of all servers, as lines of a hosts file.");
        examples[command] = """
            camcube tunnel hosts >> /etc/hosts
            camcube tunnel hosts --json | jq -r '.[].address4'
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                string server = ServersOf(await host.StatusAsync(cancel))[0];
                TunnelHostAnswer[] rows = await AskAsync<TunnelHostAnswer[]>(host, server, "hosts", cancel);
                JsonOrText.Print(parsed, common, ToolJson.Of(rows), report => Show(report, rows));
                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static async Task<List<TunnelStatusAnswer>> RowsAsync(ToolHost host, CancellationToken cancel)
    {
        List<TunnelStatusAnswer> rows = [];
        foreach (string server in ServersOf(await host.StatusAsync(cancel)))
        {
            rows.Add(await AskAsync<TunnelStatusAnswer>(host, server, "status", cancel));
        }

        return rows;
    }

    private static string[] ServersOf(StatusAnswer status) =>
        ServiceServers.Of(status, "tunnel", "the tunnel; a host has it with --Services:tunnel:Enabled=true.");

    private static async Task<T> AskAsync<T>(ToolHost host, string server, string command, CancellationToken cancel) =>
        host.Read<T>(
            await host.PostAsync($"/api/servers/{server}/services/tunnel/{command}", TimeSpan.FromSeconds(10), cancel)
        );

    private static void Show(Report report, List<TunnelStatusAnswer> rows)
    {
        Table table = Report.Table(
            "server",
            "card",
            "IPv4",
            "IPv6",
            ">MTU",
            "offloads",
            ">sent",
            ">received",
            ">full",
            ">marked",
            ">shed",
            ">lost",
            ">late"
        );
        foreach (TunnelStatusAnswer row in rows)
        {
            Report.Row(
                table,
                row.Server,
                row.Namespace is null ? row.Interface : $"{row.Interface} in {row.Namespace}",
                row.Address4,
                row.Address6,
                $"{row.Mtu}",
                row.Offloads ?? "",
                Report.Count(row.ReadBytes),
                Report.Count(row.WrittenBytes),
                $"{row.Full}",
                $"{row.Marked}",
                $"{row.Shed}",
                $"{row.Lost}",
                $"{row.Late}"
            );
        }

        report.Print(table);
        foreach (TunnelStatusAnswer row in rows.Where(row => row.Failure is not null))
        {
            report.Line($"{row.Server} {(row.Offloads is null ? "has no card" : "is not well")}: {row.Failure}");
        }
    }

    private static void Show(Report report, TunnelHostAnswer[] rows)
    {
        foreach (TunnelHostAnswer row in rows)
        {
            string alias = row.Name[..row.Name.IndexOf('.', StringComparison.Ordinal)];
            report.Line($"{row.Address4} {row.Name} {alias}");
            report.Line($"{row.Address6} {row.Name} {alias}");
        }
    }
}
