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

                CablingServerAnswer? own = await OwnCablesAsync(host, cancel);
                LinkRow[] rows = [.. Rows(status, only, own)];
                JsonOrText.Print(
                    parsed,
                    common,
                    ToolJson.Of(rows),
                    report =>
                    {
                        report.Print(Show(rows));
                        foreach (string line in own is null ? [] : ForeignText.Of(own))
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

    /// <summary>The ports of the host's own server; null where cables are simulated.</summary>
    private static async Task<CablingServerAnswer?> OwnCablesAsync(ToolHost host, CancellationToken cancel)
    {
        try
        {
            CablingAnswer cabling = host.Read<CablingAnswer>(await host.GetAsync("/api/cabling", cancel));
            return cabling.Servers.FirstOrDefault(server => server.ServerId == cabling.ServerId);
        }
        catch (ToolException e) when (e.ExitCode == ExitCode.Failed)
        {
            return null;
        }
    }

    private static ForeignAnswer? ForeignOn(CablingServerAnswer? own, ServerAnswer server, string link) =>
        own is not null && own.Coordinate == server.Coordinate
            ? own.Ports.FirstOrDefault(port => port.Link == link)?.Foreign
            : null;

    private static IEnumerable<LinkRow> Rows(StatusAnswer status, int only, CablingServerAnswer? own)
    {
        TorusShape shape = status.Torus;
        var cables = new Dictionary<(int, string), string>();
        foreach (CableAnswer cable in status.Cables)
        {
            cables[(cable.Rank, cable.Link)] = cable.State;
            if (Links.TryParse(cable.Link, out Link link))
            {
                cables[(cable.NeighbourRank, link.Opposite().Name())] = cable.State;
            }
        }

        foreach (ServerAnswer server in status.Servers.Where(server => only < 0 || server.Rank == only))
        {
            foreach (LinkAnswer link in LinksOf(server, shape))
            {
                yield return new LinkRow(
                    server.Rank,
                    server.Coordinate,
                    link.Link,
                    link.NeighbourRank,
                    link.Neighbour,
                    link.State,
                    cables.GetValueOrDefault((server.Rank, link.Link), "unknown"),
                    link.SentPackets,
                    link.SentBytes,
                    link.ReceivedPackets,
                    link.ReceivedBytes,
                    ForeignOn(own, server, link.Link)
                );
            }
        }
    }

    /// <summary>A stopped server says nothing of its links; the plan does.</summary>
    private static IEnumerable<LinkAnswer> LinksOf(ServerAnswer server, TorusShape shape)
    {
        if (server.Links.Count > 0)
        {
            return server.Links;
        }

        var planned = new List<LinkAnswer>();
        Coordinate at = shape.At(server.Rank);
        foreach (Link link in shape.CabledLinks(at))
        {
            Coordinate neighbour = shape.Step(at, link);
            planned.Add(new LinkAnswer(link.Name(), neighbour.ToString(), shape.RankOf(neighbour), "down", 0, 0, 0, 0));
        }

        return planned;
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
                $"{row.Rank}",
                row.Server,
                row.Link,
                row.Neighbour,
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
