using System.Reflection.PortableExecutable;

namespace CamCube.Hosting.Loading;

/// <summary>Tells assemblies that hold machine code beside their IL (ReadyToRun) from those that are compiled when they
/// run.</summary>
internal static class CompiledAhead
{
    /// <summary>Whether a file is such an assembly. A file that is no assembly or cannot be read is not; who loads it
    /// gets the reason.</summary>
    public static bool Is(string path)
    {
        try
        {
            using FileStream file = File.OpenRead(path);
            using var image = new PEReader(file);
            return image.PEHeaders.CorHeader?.ManagedNativeHeaderDirectory.Size > 0;
        }
        catch (Exception e) when (e is BadImageFormatException or IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
