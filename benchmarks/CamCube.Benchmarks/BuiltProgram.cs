using CamCube.Testbed;

namespace CamCube.Benchmarks;

/// <summary>Programs of this checkout that are run in processes of their own.</summary>
internal static class BuiltProgram
{
    private static DirectoryInfo Own => new(AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar));

    /// <summary>The full path of a folder of the checkout.</summary>
    /// <exception cref="TestbedException">It is not there.</exception>
    public static string FolderOf(string folder)
    {
        string path = Path.Combine(Own.Parent!.Parent!.Parent!.Parent!.FullName, folder);
        return Directory.Exists(path) ? path : throw new TestbedException($"{path} is not there.");
    }

    /// <summary>The full path of a file that a project's build made, in the configuration of this one.</summary>
    /// <exception cref="TestbedException">It was not built.</exception>
    public static string Find(string project, string file)
    {
        // artifacts/bin/CamCube.Benchmarks/release/ -> artifacts/bin/PROJECT/release/
        string path = Path.Combine(Own.Parent!.Parent!.FullName, project, Own.Name, file);
        return File.Exists(path)
            ? path
            : throw new TestbedException($"{path} is not there: build {project} first, in the same configuration.");
    }
}
