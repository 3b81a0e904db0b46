using CamCube.Tool.Syntax;

namespace CamCube.Tool.Dev;

/// <summary>Finds the project that is meant.</summary>
internal static class DevProject
{
    private const string Mark = "[CamCubeService(";

    /// <summary>The one project in a folder, or the one with a service in the folders of a folder.</summary>
    /// <param name="named">A project, or a folder.</param>
    /// <exception cref="ToolException">There is none, or one cannot tell which.</exception>
    public static string Find(string named)
    {
        string path = Path.GetFullPath(named);
        if (File.Exists(path))
        {
            return path.EndsWith(".csproj", StringComparison.OrdinalIgnoreCase)
                ? path
                : throw Usage($"'{named}' is no project; name a .csproj, or its folder.");
        }

        if (!Directory.Exists(path))
        {
            throw Usage($"there is no folder {path}.");
        }

        try
        {
            string[] here = ProjectsIn(path);
            string[] below = here.Length > 0 ? [] : [.. Directory.GetDirectories(path).Order().SelectMany(ProjectsIn)];
            string[] all = here.Length > 0 ? here : below,
                meant = all.Length > 1 ? [.. all.Where(HasService)] : all;
            return meant switch
            {
                [var project] => project,
                [] when all.Length == 0 => throw Usage($"{path} and the folders in it have no project (.csproj)."),
                [] => throw Usage(
                    $"{path} has {all.Length} projects and none with {Mark}id, \"name\")]; "
                        + $"name one of {Names(path, all)}."
                ),
                _ => throw Usage(
                    $"{path} has {meant.Length} projects with services; name one of {Names(path, meant)}."
                ),
            };
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw Usage($"{path} cannot be read: {e.Message}");
        }
    }

    private static string[] ProjectsIn(string folder) =>
        [.. Directory.GetFiles(folder, "*.csproj").Order(StringComparer.Ordinal)];

    private static bool HasService(string project) =>
        SourceFiles
            .Of(Path.GetDirectoryName(project)!)
            .Where(file => file.Extension == ".cs")
            .Any(file => File.ReadAllText(file.FullName).Contains(Mark, StringComparison.Ordinal));

    private static string Names(string folder, string[] projects) =>
        string.Join(", ", projects.Select(project => Path.GetRelativePath(folder, project)));

    private static ToolException Usage(string message) => new(ExitCode.Usage, message);
}
