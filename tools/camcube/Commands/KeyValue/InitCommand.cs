using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.KeyValue;

/// <summary><c>camcube kv init</c>: the first start of a store of which some servers do not exist.</summary>
internal static class InitCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Option<string[]> without = new("--without")
        {
            Description = "A server that does not exist, by rank (13) or coordinate (1,1,1); as often as wanted",
            HelpName = "SERVER",
            Required = true,
        };
        var command = new Command("init", "Begins a store for the first time without some servers.") { without };
        examples[command] = """
            camcube kv status                                what the first start waits for
            camcube kv init --without 2,2,2
            camcube kv init --without 25 --without 26
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                StatusAnswer status = await host.StatusAsync(cancel);
                Coordinate[] missing = [.. parsed.GetRequiredValue(without).Select(text => Read(text, status.Torus))];
                Coordinate decides = Enumerable
                    .Range(0, status.Torus.Count)
                    .Select(status.Torus.At)
                    .FirstOrDefault(at => !missing.Contains(at));
                if (!GroupCommands.ServersOf(status, null).Contains($"{decides}"))
                {
                    throw new ToolException(
                        ExitCode.Unavailable,
                        $"server {decides} decides that, and does not run here: --host says where another host is."
                    );
                }

                string names = Uri.EscapeDataString(string.Join(' ', missing));
                await host.PostAsync(
                    $"/api/servers/{decides}/services/kv/init?without={names}",
                    TimeSpan.FromSeconds(10),
                    cancel
                );
                JsonOrText.Print(
                    parsed,
                    common,
                    ToolJson.Of(new { Decides = $"{decides}", Without = missing.Select(one => $"{one}") }),
                    $"the first start is without {string.Join(" ", missing)}, as soon as all others are there"
                );
                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static Coordinate Read(string text, TorusShape shape) =>
        ServerName.TryParse(text, out ServerName name)
            ? name.In(shape, "--without")
            : throw new ToolException(
                ExitCode.Usage,
                $"--without '{text}' is not a server; name it by rank, as in 13, or by coordinate, as in 1,1,1."
            );
}
