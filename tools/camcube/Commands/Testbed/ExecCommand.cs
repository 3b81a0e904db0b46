using System.CommandLine;
using System.Diagnostics;
using CamCube.Testbed;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Testbed;

/// <summary><c>camcube testbed exec SERVER -- COMMAND...</c>.</summary>
internal static class ExecCommand
{
    /// <summary>The command.</summary>
    public static Command Create(Dictionary<Command, string> examples)
    {
        Option<string> name = TestbedCommand.Name();
        Argument<ServerName> server = Values.Server("SERVER", "The server");
        var words = new Argument<string[]>("COMMAND")
        {
            Description = "The program and its arguments, behind --.",
            Arity = ArgumentArity.OneOrMore,
        };
        var command = new Command("exec", "Runs a program where a server runs, and ends with its exit code.")
        {
            name,
            server,
            words,
        };
        examples[command] = """
            sudo camcube testbed exec 0,0,0 -- camcube status
            sudo camcube testbed exec 13 -- memcstat --servers=127.0.0.1
            sudo camcube testbed exec 13 -- ip -s link
            """;
        command.SetAction(
            async (parsed, _) =>
            {
                TestbedNetwork.CheckMachine();
                TestbedState state = TestbedStore.Require(parsed.GetRequiredValue(name));
                TestbedServer at =
                    state.Servers.ElementAtOrDefault(TestbedCommand.RankOf(state, parsed.GetValue(server)))
                    ?? throw new ToolException(ExitCode.Failed, $"testbed '{state.Plan.Name}' was not finished.");
                if (NetworkNamespace.IdentityOf(at.Namespace) != at.Identity)
                {
                    throw new ToolException(
                        ExitCode.Failed,
                        $"namespace {at.Namespace} is gone or is another one now."
                    );
                }

                // Ctrl+C reaches the program too; this waits until it has ended.
                using Process process = Programs.Start(
                    new ProcessStartInfo("ip", ["netns", "exec", at.Namespace, .. parsed.GetRequiredValue(words)])
                );
                await process.WaitForExitAsync(CancellationToken.None);
                return process.ExitCode;
            }
        );
        return command;
    }
}
