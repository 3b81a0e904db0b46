using System.CommandLine;
using CamCube.Testbed;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Testbed;

/// <summary><c>camcube testbed</c>: a cube of real processes and virtual cables on one Linux machine.</summary>
internal static class TestbedCommand
{
    /// <summary>The command with its subcommands.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var group = new Command(
            "testbed",
            "Runs a cube on this machine: a process per server, network namespaces, veth cables (Linux, root)."
        )
        {
            new UpCommand(common).Create(examples),
            TestbedStatusCommand.Create(common, examples),
            ExecCommand.Create(examples),
            KillCommand.Create(common, examples),
            StartCommand.Create(common, examples),
            CutCommand.Create(common, examples),
            MendCommand.Create(common, examples),
            TestbedFaultCommand.Create(common, examples),
            new ChaosCommand(common).Create(examples),
            new ChaosJobsCommand(common).Create(examples),
            DownCommand.Create(common, examples),
        };
        examples[group] = """
            sudo camcube testbed up                              27 servers, 81 cables, over raw Ethernet
            sudo camcube testbed exec 2,1,2 -- nc 127.0.0.1 11211
            sudo camcube testbed kill 1,1,1                      a power failure
            sudo camcube testbed start 1,1,1
            sudo camcube testbed status
            sudo camcube testbed down                            removes everything
            """;
        foreach (
            Command command in group
                .Subcommands.SelectMany(sub => sub.Subcommands)
                .Concat(group.Subcommands)
                .Append(group)
        )
        {
            common.RefuseHost(
                command,
                "testbed asks no host; --host is for commands that do. Its servers' program is --program."
            );
        }

        return group;
    }

    /// <summary>The name of the testbed.</summary>
    /// <param name="standard">What it is called if nothing is said.</param>
    public static Option<string> Name(string standard = TestbedNames.Standard) =>
        new("--name")
        {
            Description = "Name of the testbed; its namespaces are NAME-X-Y-Z.",
            HelpName = "NAME",
            DefaultValueFactory = _ => standard,
            CustomParser = Values.Of<string>(
                (string text, out string name) => TestbedNames.IsName(name = text),
                "must be up to 32 small letters, digits and hyphens, a letter or digit first"
            ),
        };

    /// <summary>The rank of a named server.</summary>
    /// <exception cref="ToolException">There is none.</exception>
    public static int RankOf(TestbedState state, ServerName name)
    {
        TorusShape shape = state.Plan.Torus();
        int rank = name.RankIn(shape);
        return rank >= 0
            ? rank
            : throw new ToolException(ExitCode.Failed, $"there is no server '{name.Text}' in a cube {shape}.");
    }

    /// <summary>A cable, named by a server and a direction.</summary>
    public static Argument<CapturedLink> Cable(string description) =>
        new("CABLE")
        {
            Description = $"{description}: a server and a direction, as in 0,0,0:+x or 13:mz.",
            CustomParser = Values.Of<CapturedLink>(
                CapturedLink.TryParse,
                "is not a cable; name a server and a direction, as in 0,0,0:+x or 13:mz"
            ),
        };
}
