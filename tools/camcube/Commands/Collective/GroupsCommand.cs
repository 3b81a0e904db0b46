using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Collective;

/// <summary><c>camcube collective groups</c>: the groups that are open at the servers of a host.</summary>
internal static class GroupsCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Option<ServerName?> at = Values.Optional<ServerName>(
            "--at",
            "SERVER",
            "One server, by rank or coordinate [default: all of the host]",
            ServerName.TryParse,
            "must be a server, by rank or coordinate, as in 13 or 1,1,1"
        );
        var command = new Command("groups", "Shows open groups: members, operations, and why one has ended.") { at };
        examples[command] = """
            camcube collective groups
            camcube collective groups --at 1,1,1
            camcube collective groups --json | jq '.[] | select(.state != "open")'
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                var collectives = new CollectivesHost(host);
                StatusAnswer status = await collectives.StatusAsync(cancel);
                string? only = parsed.GetValue(at)?.In(status.Torus, "--at").ToString();
                List<(string Server, CollectiveGroupAnswer Group)> groups = [];
                foreach (string server in CollectivesHost.ServersOf(status, only))
                {
                    string answer = await collectives.AskAsync(server, "groups", cancel);
                    groups.AddRange(collectives.Read<CollectiveGroupAnswer[]>(answer).Select(group => (server, group)));
                }

                string json = ToolJson.Of(
                    groups.Select(static row => new
                    {
                        row.Server,
                        row.Group.Name,
                        row.Group.Members,
                        row.Group.Rank,
                        row.Group.Done,
                        row.Group.Waiting,
                        row.Group.Bytes,
                        row.Group.State,
                        row.Group.Words,
                    })
                );
                JsonOrText.Print(parsed, common, json, report => CollectivesText.Show(report, groups));
                return ExitCode.Ok;
            }
        );
        return command;
    }
}
