using System.ComponentModel;
using System.Diagnostics;

namespace CamCube.Testbed;

/// <summary>The small C and C++ programs of benchmarks/native, as a project that names them copies them beside itself.
/// </summary>
public static class NativeProgram
{
    /// <summary>Compiles one, and answers where the program is; null: there is no compiler, or it refuses.</summary>
    /// <param name="file">Name of the source.</param>
    /// <param name="compiler">Name of the compiler.</param>
    /// <param name="flags">What it is told.</param>
    public static string? Compile(string file, string compiler = "cc", params string[] flags)
    {
        string source = Path.Combine(AppContext.BaseDirectory, "native", file),
            program = Path.ChangeExtension(source, null);
        try
        {
            using Process run = Process.Start(
                new ProcessStartInfo(compiler, [.. flags is [] ? ["-O2"] : flags, "-o", program, source])
            )!;
            run.WaitForExit();
            return run.ExitCode == 0 ? program : null;
        }
        catch (Win32Exception)
        {
            return null;
        }
    }
}
