using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube server stop|start SERVER</c>.</summary>
internal static class ServerCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var group = new Command("server", "Stops and starts servers of a simulated cube.");
        Command stop = Order(common, "stop", "Stops a server as if its power failed: what it had in memory is gone.");
        Command start = Order(common, "start", "Starts a stopped server with empty memory.");
        examples[group] = """
            camcube server stop 13           stop the server with rank 13
            camcube server start 1,1,1       start it again; in a 3x3x3 cube that is the same server
            """;
        examples[stop] = """
            camcube server stop 13
            camcube server stop 1,1,1        nothing to do if it is stopped already
            """;
        examples[start] = """
            camcube server start 13
            camcube server start 1,1,1       nothing to do if it runs
            """;
        group.Add(stop);
        group.Add(start);
        return group;
    }

    private static Command Order(CommonOptions common, string name, string description)
    {
        Argument<ServerName> server = Values.Server("SERVER", "The server");
        var command = new Command(name, description) { server };
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                string path = $"/api/servers/{parsed.GetValue(server).Text}/{name}";
                string json = await host.PostAsync(path, TimeSpan.Zero, cancel);
                ServerAnswer answer = host.Read<ServerAnswer>(json);
                JsonOrText.Print(
                    parsed,
                    common,
                    json,
                    $"server {answer.Coordinate} (rank {answer.Rank}): {Words(answer.State)}"
                );
                return ExitCode.Ok;
            }
        );
        return command;
    }

    private static string Words(string state) => state == "withoutKeys" ? "running, waits for its keys" : state;
}
