using System.CommandLine;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Topology;

/// <summary><c>camcube topology</c>: what the routing library says, without a host; and the trees of what runs at
/// one.</summary>
internal static class TopologyCommand
{
    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var group = new Command(
            "topology",
            "Shows trees, paths and replicas of a cube of any shape, and the trees of jobs that run."
        )
        {
            new TreesCommand(common).Create(examples),
            new PathsCommand(common).Create(examples),
            new ReplicasCommand(common).Create(examples),
            new NextHopsCommand(common).Create(examples),
            new MiniCubeCommand(common).Create(examples),
        };
        examples[group] = """
            camcube topology trees --shape 3x3x3 --root 0,0,0            six spanning trees without a common link
            camcube topology trees --job 5f0c3a9e8d7b6a41                those of a file on its way, at a host
            camcube topology paths --from 0,0,0 --to 1,1,1               paths without a common link
            camcube topology replicas --key 0123456789abcdef0123456789abcdef01234567 --count 3
            camcube topology next-hops --from 0,0,0 --to 2,2,1 --failed "2,0,0;0,2,0"
            camcube topology minicube --shape 20x20x20 --from 3,9,12 --root 0,0,0 --json
            """;
        return group;
    }
}
