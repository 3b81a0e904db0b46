namespace CamCube.SystemTests;

/// <summary>Finds the programs that were built beside these tests, in the same configuration.</summary>
internal static class BuiltPrograms
{
    /// <summary>The root of the checkout.</summary>
    public static string Root { get; } = FindRoot();

    /// <summary>The main assembly of a project.</summary>
    public static string Find(string project, string? assembly = null)
    {
        // artifacts/bin/CamCube.SystemTests/release/ -> artifacts/bin/{project}/release/
        var own = new DirectoryInfo(AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar));
        string file = Path.Combine(own.Parent!.Parent!.FullName, project, own.Name, (assembly ?? project) + ".dll");
        return File.Exists(file)
            ? file
            : throw new FileNotFoundException($"{project} was not built: {file} is missing.");
    }

    private static string FindRoot()
    {
        DirectoryInfo? folder = new(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(Path.Combine(folder.FullName, "CamCube.sln")))
        {
            folder = folder.Parent;
        }

        return folder?.FullName ?? throw new DirectoryNotFoundException("These tests run inside the checkout.");
    }
}
