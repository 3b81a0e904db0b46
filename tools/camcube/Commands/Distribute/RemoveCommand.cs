using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Distribute;

/// <summary><c>camcube distribute rm NAME</c>: deletes a file from the folders of servers.</summary>
internal static class RemoveCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Argument<string> name = new("NAME") { Description = "The file's name" };
        Option<string[]> at = ServerListOption.Create("--at", "Where it is deleted");
        at.DefaultValueFactory = static _ => ["all"];
        var command = new Command("rm", "Deletes a file that was distributed, at all servers of the host or some.")
        {
            name,
            at,
        };
        examples[command] = """
            camcube distribute rm image.raw
            camcube distribute rm image.raw --at 1,0,0 13
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                var distribution = new DistributionHost(host);
                StatusAnswer status = await distribution.StatusAsync(cancel);
                Coordinate[] named = ServerListOption.Read(parsed.GetRequiredValue(at), "--at", status.Torus);
                string[] running = DistributionHost.ServersOf(status);
                string[] servers = named.Length == 0 ? running : [.. named.Select(static server => $"{server}")];
                string file = FileNames.Check(parsed.GetRequiredValue(name));
                List<string> without = [];
                foreach (string server in servers)
                {
                    try
                    {
                        await distribution.AskAsync(server, $"remove?name={Uri.EscapeDataString(file)}", cancel);
                    }
                    catch (ToolException e) when (e.ExitCode == ExitCode.Failed)
                    {
                        without.Add($"{server}: {e.Message}");
                    }
                }

                if (without.Count == servers.Length || (named.Length > 0 && without.Count > 0))
                {
                    throw new ToolException(ExitCode.Failed, without[0]);
                }

                int deleted = servers.Length - without.Count;
                string json = ToolJson.Of(new { name = file, deleted });
                JsonOrText.Print(parsed, common, json, $"{file} is deleted at {deleted} servers.");
                return ExitCode.Ok;
            }
        );
        return command;
    }
}
