using System.ComponentModel;
using System.Diagnostics;

namespace CamCube.Benchmarks;

/// <summary>The small C programs of benchmarks/native.</summary>
internal static class NativeProgram
{
    /// <summary>Compiles one, and answers where the program is; null: there is no C compiler, or it refuses.</summary>
    /// <param name="file">Name of the source.</param>
    public static string? Compile(string file)
    {
        string source = Path.Combine(AppContext.BaseDirectory, "native", file), program = Path.ChangeExtension(source, null);
        try
        {
            using Process compiler = Process.Start(new ProcessStartInfo("cc", ["-O2", "-o", program, source]))!;
            compiler.WaitForExit();
            return compiler.ExitCode == 0 ? program : null;
        }
        catch (Win32Exception)
        {
            return null;
        }
    }
}
