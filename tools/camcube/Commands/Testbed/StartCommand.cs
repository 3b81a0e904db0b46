using System.CommandLine;
using System.Diagnostics;
using CamCube.Testbed;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Testbed;

/// <summary><c>camcube testbed start SERVER</c>.</summary>
internal static class StartCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Option<string> name = TestbedCommand.Name();
        Argument<ServerName> server = Values.Server("SERVER", "The server");
        Option<Duration> timeout = Values.Time(
            "--timeout",
            "Time to get ready",
            TimeSpan.FromSeconds(60),
            TimeSpan.FromSeconds(1),
            TimeSpan.FromHours(1)
        );
        var command = new Command("start", "Starts a server that does not run and waits until it is ready.")
        {
            name,
            server,
            timeout,
        };
        examples[command] = """
            sudo camcube testbed kill 1,1,1
            sudo camcube testbed start 1,1,1                     with what it keeps for life, and an empty memory
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var control = new TestbedControl(parsed.GetRequiredValue(name));
                int rank = TestbedCommand.RankOf(control.State, parsed.GetValue(server));
                long begin = Stopwatch.GetTimestamp();
                await control.StartAsync(rank, parsed.GetValue(timeout).Value, cancel);
                double seconds = Stopwatch.GetElapsedTime(begin).TotalSeconds;
                TestbedServer at = control.State.Servers[rank];
                JsonOrText.Print(
                    parsed,
                    common,
                    ToolJson.Of(
                        new
                        {
                            at.Coordinate,
                            Process = at.Process!.Id,
                            Seconds = Math.Round(seconds, 3),
                        }
                    ),
                    $"server {at.Coordinate} is ready after {Report.Decimal(seconds, 1)} s (process "
                        + $"{at.Process!.Id})"
                );
                return ExitCode.Ok;
            }
        );
        return command;
    }
}
