using System.CommandLine;
using CamCube.Testbed;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Testbed;

/// <summary><c>camcube testbed down</c>.</summary>
internal static class DownCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Option<string> name = TestbedCommand.Name();
        var command = new Command(
            "down",
            "Removes everything that 'up' made: processes, namespaces, cables, files. Also what a broken 'up' left."
        )
        {
            name,
        };
        examples[command] = """
            sudo camcube testbed down                            nothing to do if there is none
            sudo camcube testbed down --name ring
            """;
        command.SetAction(parsed =>
        {
            TestbedNetwork.CheckMachine();
            string which = parsed.GetRequiredValue(name);
            using TestbedStore store = TestbedStore.Open(which);
            TestbedState? state = TestbedStore.Read(which);
            IReadOnlyList<string> foreign = [];
            if (state is null)
            {
                store.Remove();
            }
            else
            {
                foreign = TestbedRemover.Remove(store, state);
            }

            string words = state is null ? $"there is no testbed '{which}'" : $"testbed '{which}' is removed";
            string left =
                foreign.Count == 0 ? "" : $"; not its own any more, and left alone: {string.Join(", ", foreign)}";
            JsonOrText.Print(
                parsed,
                common,
                ToolJson.Of(
                    new
                    {
                        Name = which,
                        Removed = state is not null,
                        LeftAlone = foreign,
                    }
                ),
                words + left
            );
            return ExitCode.Ok;
        });
        return command;
    }
}
