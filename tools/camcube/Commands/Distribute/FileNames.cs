using CamCube.Services.Distribution;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Distribute;

/// <summary>Names of files that are distributed.</summary>
internal static class FileNames
{
    /// <summary>The name, if a file can have it.</summary>
    /// <exception cref="ToolException">It cannot: a mistake of who typed it.</exception>
    public static string Check(string name) =>
        FileName.WrongOf(name) is { } wrong ? throw new ToolException(ExitCode.Usage, $"'{name}' {wrong}.") : name;
}
