using System.CommandLine;
using CamCube.Testbed;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Testbed;

/// <summary><c>camcube testbed kill SERVER</c>.</summary>
internal static class KillCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Option<string> name = TestbedCommand.Name();
        Argument<ServerName> server = Values.Server("SERVER", "The server");
        var signal = new Option<int>("--signal")
        {
            Description = $"What is sent: {ProcessSignals.Known}.",
            HelpName = "SIGNAL",
            DefaultValueFactory = _ => ProcessSignals.Kill,
            CustomParser = Values.Of<int>(ProcessSignals.TryParse, $"is not one of the signals {ProcessSignals.Known}"),
        };
        var command = new Command(
            "kill",
            "Sends a signal to a server's process; by default it is gone at once, as if its power failed."
        )
        {
            name,
            server,
            signal,
        };
        examples[command] = """
            sudo camcube testbed kill 1,1,1                      its cables stay: nobody is told
            sudo camcube testbed kill 1,1,1 --signal TERM        it stops in order
            sudo camcube testbed kill 1,1,1 --signal STOP        it stands still until --signal CONT
            """;
        command.SetAction(parsed =>
        {
            using var control = new TestbedControl(parsed.GetRequiredValue(name));
            int rank = TestbedCommand.RankOf(control.State, parsed.GetValue(server)),
                number = parsed.GetValue(signal);
            control.Signal(rank, number);
            TestbedServer at = control.State.Servers[rank];
            JsonOrText.Print(
                parsed,
                common,
                ToolJson.Of(
                    new
                    {
                        at.Coordinate,
                        Process = at.Process!.Id,
                        Signal = ProcessSignals.NameOf(number),
                    }
                ),
                $"server {at.Coordinate}: {ProcessSignals.NameOf(number)} sent to process {at.Process!.Id}"
            );
            return ExitCode.Ok;
        });
        return command;
    }
}
