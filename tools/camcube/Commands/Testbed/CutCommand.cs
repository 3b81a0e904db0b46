using System.CommandLine;
using CamCube.Testbed;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Testbed;

/// <summary><c>camcube testbed cut CABLE</c>.</summary>
internal static class CutCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Option<string> name = TestbedCommand.Name();
        Argument<CapturedLink> cable = TestbedCommand.Cable("The cable");
        var oneWay = new Option<bool>("--one-way")
        {
            Description = "Throws away what the server sends; what comes to it still comes.",
        };
        var silent = new Option<bool>("--silent")
        {
            Description = "Throws away what both ends send; their interfaces stay up.",
        };
        var command = new Command(
            "cut",
            "Cuts a cable: pulled like a plug (ip link set down), which both ends notice at once, or otherwise."
        )
        {
            name,
            cable,
            oneWay,
            silent,
        };
        command.Validators.Add(result =>
        {
            if (result.GetValue(oneWay) && result.GetValue(silent))
            {
                result.AddError("--one-way and --silent do not go together.");
            }
        });
        examples[command] = """
            sudo camcube testbed cut 0,0,0:+x                    0,0,0's interface goes down, 1,0,0's loses its carrier
            sudo camcube testbed cut 0,0,0:+x --one-way          0,0,0 still hears 1,0,0
            sudo camcube testbed cut 0,0,0:+x --silent           only silence tells
            """;
        command.SetAction(parsed =>
        {
            using var control = new TestbedControl(parsed.GetRequiredValue(name));
            CapturedLink at = parsed.GetValue(cable);
            int rank = TestbedCommand.RankOf(control.State, at.Server);
            CutKind how =
                parsed.GetValue(oneWay) ? CutKind.OneWay
                : parsed.GetValue(silent) ? CutKind.Silent
                : CutKind.Pulled;
            control.Cut(rank, at.Link, how);
            string port = TestbedCable.InterfaceOf(at.Link);
            string words = how switch
            {
                CutKind.Pulled => $"{port} is down (ip link)",
                CutKind.OneWay => $"what {port} sends is thrown away (tc blackhole)",
                _ => "what both ends send is thrown away (tc blackhole)",
            };
            JsonOrText.Print(
                parsed,
                common,
                ToolJson.Of(
                    new
                    {
                        Server = control.Shape.At(rank).ToString(),
                        Link = at.Link.Name(),
                        How = TestbedStatusCommand.NameOf(how),
                    }
                ),
                $"cable {at.Link.Name()} of server {control.Shape.At(rank)}: {words}"
            );
            return ExitCode.Ok;
        });
        return command;
    }
}
