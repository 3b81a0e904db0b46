using System.Reflection;
using System.Runtime.Loader;

namespace CamCube.Hosting.Loading;

/// <summary>How the file of a plug-in gets into memory.</summary>
internal static class AssemblyImage
{
    /// <summary>
    /// Loads from a copy in memory, so that the file may be built anew while the host runs; with its symbols, if they
    /// lie beside it. Only machine code that was compiled ahead needs the file itself, which then must not be changed.
    /// </summary>
    /// <param name="context">The load context.</param>
    /// <param name="path">Full path of the file.</param>
    /// <param name="usesMachineCode">Whether machine code that was compiled ahead is to be used.</param>
    public static Assembly LoadImage(this AssemblyLoadContext context, string path, bool usesMachineCode)
    {
        if (usesMachineCode && CompiledAhead.Is(path))
        {
            return context.LoadFromAssemblyPath(path);
        }

        using MemoryStream image = new(File.ReadAllBytes(path));
        string symbols = Path.ChangeExtension(path, ".pdb");
        if (!File.Exists(symbols))
        {
            return context.LoadFromStream(image);
        }

        using MemoryStream lines = new(File.ReadAllBytes(symbols));
        return context.LoadFromStream(image, lines);
    }
}
