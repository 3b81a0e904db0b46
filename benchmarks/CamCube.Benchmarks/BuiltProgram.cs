using CamCube.Testbed;

namespace CamCube.Benchmarks;

/// <summary>Programs of this checkout that are run in processes of their own.</summary>
internal static class BuiltProgram
{
    /// <summary>The full path of a file that a project's build made, in the configuration of this one.</summary>
    /// <exception cref="TestbedException">It was not built.</exception>
    public static string Find(string project, string file)
    {
        // artifacts/bin/CamCube.Benchmarks/release/ -> artifacts/bin/PROJECT/release/
        var own = new DirectoryInfo(AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar));
        string path = Path.Combine(own.Parent!.Parent!.FullName, project, own.Name, file);
        return File.Exists(path)
            ? path
            : throw new TestbedException($"{path} is not there: build {project} first, in the same configuration.");
    }
}
