using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Files;

/// <summary>Files of this machine, with their troubles in words.</summary>
internal static class LocalFiles
{
    /// <summary>Does something with a file.</summary>
    public static T Try<T>(string file, Func<T> use)
    {
        try
        {
            return use();
        }
        catch (Exception e)
            when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new ToolException(ExitCode.Usage, $"{file}: {e.Message}");
        }
    }

    /// <summary>The name that a file has while it is not whole.</summary>
    public static string PartOf(string file) => $"{file}.part";

    /// <summary>Gives a file that is whole its name.</summary>
    public static void Finish(string file) =>
        Try(
            file,
            () =>
            {
                File.Move(PartOf(file), file, overwrite: true);
                return true;
            }
        );
}
