using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace CamCube.Tool.Checks;

/// <summary>
/// Scans an assembly for what the analyzers say of its sources (docs/analyzers.md). It reads metadata and instructions
/// and runs nothing, so an assembly of anybody may be given to it. What it cannot see: reflection, and what the
/// assemblies do that this one calls. Any thread.
/// </summary>
public static class ServiceChecker
{
    /// <summary>Scans one file.</summary>
    /// <exception cref="BadAssemblyException">It is not there, or no assembly.</exception>
    public static CheckResult Check(string file, BannedList? list = null)
    {
        if (!File.Exists(file))
        {
            throw new BadAssemblyException(
                Directory.Exists(file) ? $"{file} is a folder; name a .dll file." : $"there is no file {file}."
            );
        }

        try
        {
            using FileStream stream = File.OpenRead(file);
            using var assembly = new PEReader(stream);
            if (!assembly.HasMetadata || !assembly.GetMetadataReader().IsAssembly)
            {
                throw new BadAssemblyException($"{file} is no .NET assembly.");
            }

            using SourceLines lines = SourceLines.Open(assembly, file);
            return new AssemblyScan(assembly, lines, list ?? BannedList.Standard).Run(file);
        }
        catch (Exception e)
            when (e
                    is BadImageFormatException
                        or InvalidOperationException
                        or InvalidCastException
                        or ArgumentException
                        or OverflowException
                        or NullReferenceException // of the metadata reader, for damaged tables
            )
        {
            throw new BadAssemblyException($"{file} is no .NET assembly, or a damaged one.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new BadAssemblyException($"{file} cannot be read: {e.Message}");
        }
    }
}
