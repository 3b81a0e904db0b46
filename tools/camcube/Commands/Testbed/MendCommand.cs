using System.CommandLine;
using CamCube.Testbed;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Testbed;

/// <summary><c>camcube testbed mend [CABLE]</c>.</summary>
internal static class MendCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Option<string> name = TestbedCommand.Name();
        Argument<CapturedLink> cable = TestbedCommand.Cable("The cable; without it, all that were cut");
        cable.Arity = ArgumentArity.ZeroOrOne;
        var command = new Command("mend", "Mends a cable, however it was cut, or all.") { name, cable };
        examples[command] = """
            sudo camcube testbed mend 0,0,0:+x                   from either end
            sudo camcube testbed mend                            all cables
            """;
        command.SetAction(parsed =>
        {
            using var control = new TestbedControl(parsed.GetRequiredValue(name));
            int before = control.State.Cuts.Count;
            string words;
            if (parsed.GetResult(cable) is { Tokens.Count: > 0 })
            {
                CapturedLink at = parsed.GetValue(cable);
                int rank = TestbedCommand.RankOf(control.State, at.Server);
                control.Mend(rank, at.Link);
                words = $"cable {at.Link.Name()} of server {control.Shape.At(rank)}: mended";
            }
            else
            {
                int cuts = control.MendAll();
                words = cuts == 0 ? "no cable was cut" : $"cables mended: {cuts}";
            }

            JsonOrText.Print(
                parsed,
                common,
                ToolJson.Of(new { Mended = before - control.State.Cuts.Count, Cut = control.State.Cuts.Count }),
                words
            );
            return ExitCode.Ok;
        });
        return command;
    }
}
