namespace CamCube.Tool.Tests;

/// <summary>The checkout that these tests run in, and what was built there in the same configuration.</summary>
internal static class Repository
{
    /// <summary>Its root.</summary>
    public static string Root { get; } = FindRoot();

    /// <summary>An assembly of a project, by default the main one.</summary>
    public static string Built(string project, string? assembly = null)
    {
        // artifacts/bin/CamCube.Tool.Tests/release/ -> artifacts/bin/{project}/release/
        var own = new DirectoryInfo(AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar));
        return Path.Combine(own.Parent!.Parent!.FullName, project, own.Name, (assembly ?? project) + ".dll");
    }

    private static string FindRoot()
    {
        DirectoryInfo? folder = new(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder!.FullName, "CamCube.sln")))
        {
            folder = folder.Parent;
        }

        return folder.FullName;
    }
}
