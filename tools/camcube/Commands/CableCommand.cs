using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube cable cut|mend SERVER DIRECTION</c>.</summary>
internal static class CableCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var group = new Command("cable", "Cuts and mends cables of a simulated cube.");
        Command cut = Order(common, "cut", "Cuts a cable in both directions.", "");
        Command mend = Order(
            common,
            "mend",
            "Mends a cable that was cut.",
            "mended, down until its two servers hear each other again"
        );
        examples[group] = """
            camcube cable cut 0 +x           the cable from server 0 towards larger x
            camcube cable mend 0,0,0 px      the same cable by other names; px and mx need no care in any shell
            """;
        examples[cut] = """
            camcube cable cut 0 -x           the cable from server 0 towards smaller x
            camcube cable cut 1,1,1 mz       -z of server 1,1,1; the same cable as +z of its neighbour there
            """;
        examples[mend] = """
            camcube cable mend 0 -x
            camcube cable mend 1,1,1 mz      nothing to do if it is whole
            """;
        group.Add(cut);
        group.Add(mend);
        return group;
    }

    private static Command Order(CommonOptions common, string name, string description, string whileDown)
    {
        Argument<ServerName> server = Values.Server("SERVER", "A server at one end");
        Argument<Link> direction = Values.Direction();
        var command = new Command(name, description) { server, direction };
        command.SetAction(
            async (parsed, cancel) =>
            {
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                (ServerName at, Link link) = (parsed.GetValue(server), parsed.GetValue(direction));
                string path = $"/api/cables/{at.Text}/{link.PlainName()}/{name}";
                string json = await host.PostAsync(path, TimeSpan.Zero, cancel);
                string state = host.Read<CableAnswer>(json).State;
                string words = state == "down" && whileDown.Length > 0 ? whileDown : state;
                JsonOrText.Print(parsed, common, json, $"cable {link.Name()} of server {at.Text}: {words}");
                return ExitCode.Ok;
            }
        );
        return command;
    }
}
