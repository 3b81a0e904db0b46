using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube cabling</c>: how a cube of real cables is cabled, and what is wrong with it.</summary>
internal static class CablingCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var command = new Command(
            "cabling",
            "Shows which server is where by the cables, and what is wrong with them. Exit code 1 with faults."
        );
        examples[command] = """
            camcube cabling                                  the whole cube, as the host on this machine sees it
            camcube cabling --host http://10.0.0.7:8080      as another one sees it; also while it waits for its place
            camcube cabling --json | jq -r '.faults[].text'
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                string json = await host.GetAsync("/api/cabling", cancel);
                CablingAnswer cabling = host.Read<CablingAnswer>(json);
                JsonOrText.Print(parsed, common, json, report => CablingText.Show(report, cabling));

                return cabling.Faults.Count == 0 ? ExitCode.Ok : ExitCode.Failed;
            }
        );
        return command;
    }
}
