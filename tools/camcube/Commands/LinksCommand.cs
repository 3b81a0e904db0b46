using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using Spectre.Console;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube links</c>: every link of every server, with its traffic.</summary>
internal static class LinksCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Argument<ServerName> server = Values.Server("SERVER", "Only the links of this server");
        server.Arity = ArgumentArity.ZeroOrOne;
        var command = new Command("links", "Shows the links of a running host's servers: state and traffic.")
        {
            server,
        };
        examples[command] = """
            camcube links                    all links; a cable is two links, one for each direction
            camcube links 1,1,1              the links of one server
            camcube links --json | jq '.[] | select(.state != "up")'
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                StatusAnswer status = await host.StatusAsync(cancel);
                int only = -1;
                if (parsed.GetResult(server) is { Tokens.Count: > 0 })
                {
                    only = RankOf(parsed.GetValue(server), status);
                }

                CablingAnswer? cabling = await CablingAsync(host, cancel);
                LinkRow[] rows = [.. LinkRows.Of(status, only, cabling)];
                JsonOrText.Print(
                    parsed,
                    common,
                    ToolJson.Of(rows),
                    report =>
                    {
                        report.Print(Show(rows));
                        foreach (string line in cabling?.Own is { } own ? ForeignText.Of(own) : [])
                        {
                            report.Line(line);
                        }
                    }
                );
                return ExitCode.Ok;
            }
        );
        return command;
    }

    /// <summary>The rank of a named server of this host.</summary>
    public static int RankOf(ServerName name, StatusAnswer status)
    {
        TorusShape shape = status.Torus;
        int rank = name.RankIn(shape);
        return rank >= 0
            ? rank
            : throw new ToolException(
                ExitCode.Failed,
                $"there is no server '{name.Text}' in a cube {shape}; there are the ranks 0 to {shape.Count - 1}, "
                    + $"or 0,0,0 to {shape.At(shape.Count - 1)}."
            );
    }

    /// <summary>What the host knows of cables; null where they are simulated.</summary>
    private static async Task<CablingAnswer?> CablingAsync(ToolHost host, CancellationToken cancel)
    {
        try
        {
            return host.Read<CablingAnswer>(await host.GetAsync("/api/cabling", cancel));
        }
        catch (ToolException e) when (e.ExitCode == ExitCode.Failed)
        {
            return null;
        }
    }

    private static Table Show(LinkRow[] rows)
    {
        Table table = Report.Table(
            ">rank",
            "server",
            "link",
            "to",
            "hears",
            "cable",
            ">packets sent",
            ">bytes sent",
            ">packets received",
            ">bytes received"
        );
        foreach (LinkRow row in rows)
        {
            Report.Row(
                table,
                row.Rank is { } rank ? $"{rank}" : "-",
                row.Server,
                row.Link,
                row.Neighbour ?? "-",
                row.State,
                row.Cable,
                Report.Count(row.SentPackets),
                Report.Count(row.SentBytes),
                Report.Count(row.ReceivedPackets),
                Report.Count(row.ReceivedBytes)
            );
        }

        return table;
    }
}
