namespace CamCube.Hosting.Tests.Kit;

/// <summary>The checkout that these tests run in.</summary>
internal static class Repository
{
    /// <summary>Its root.</summary>
    public static string Root { get; } = FindRoot();

    private static string FindRoot()
    {
        string? folder = AppContext.BaseDirectory;
        while (folder is not null && !File.Exists(Path.Combine(folder, "CamCube.sln")))
        {
            folder = Path.GetDirectoryName(folder);
        }

        return folder ?? throw new InvalidOperationException($"No CamCube.sln above {AppContext.BaseDirectory}.");
    }
}
