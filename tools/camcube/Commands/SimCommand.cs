using System.CommandLine;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands;

/// <summary><c>camcube sim</c>: experiments in virtual time, in this process.</summary>
internal static class SimCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var group = new Command("sim", "Runs experiments in virtual time: real servers, simulated cables, no host.")
        {
            new AllToAllCommand(common).Create(examples),
            new DeterminismCommand(common).Create(examples),
            DeterminismRunCommand.Create(),
            new SwarmCommand(common).Create(examples),
            new ExploreCommand(common).Create(examples),
        };
        examples[group] = """
            camcube sim all-to-all --shape 8x8x8 --seed 1 --json
            camcube sim determinism --seeds 1..20                equal seeds, equal runs: checked between processes
            camcube sim all-to-all --help                        what it measures and what can be set
            camcube sim swarm --seeds 1..100                     cubes under faults, checked
            camcube sim explore                                  every state of a small key-value group
            """;
        return group;
    }
}
