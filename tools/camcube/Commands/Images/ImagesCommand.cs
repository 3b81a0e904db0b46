using System.CommandLine;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Images;

/// <summary><c>camcube images</c>: pictures in the image store.</summary>
internal static class ImagesCommand
{
    /// <summary>The commands.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        var command = new Command(
            "images",
            "The image store: puts, gets, describes and removes pictures, and loads it."
        )
        {
            StoreCommands.Put(common, examples),
            FetchCommands.Get(common, examples),
            FetchCommands.Info(common, examples),
            StoreCommands.Remove(common, examples),
            SignCommand.Create(common, examples),
            LoadCommand.Create(common, examples),
        };
        examples[command] = """
            camcube images put cat.jpg                       prints the name that it was given
            camcube images put cat.jpg --as cat.jpg
            camcube images get cat.jpg --variant thumb --out small.jpg
            camcube images info cat.jpg

            Exit codes: 0 done, 1 not found or conflict, 2 wrong input, 3 unavailable or unknown.
            """;
        return command;
    }
}
