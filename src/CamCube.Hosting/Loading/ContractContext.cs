using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Runtime.Loader;
using CamCube.Hosting.Settings;

namespace CamCube.Hosting.Loading;

/// <summary>
/// Where assemblies named <c>*.Contracts</c> live: once per process, so that the interface one service implements is
/// the interface another asks for. It is never unloaded; services come and go beside it. Any thread.
/// </summary>
internal sealed class ContractContext() : AssemblyLoadContext("contracts", isCollectible: false)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, (string Path, Version? Version)> _files = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Takes note of the contract assemblies of a plug-in's folder; says so when another folder brought a
    /// different version.</summary>
    public void AddFolder(string folder, Mistakes mistakes)
    {
        foreach (string path in Directory.EnumerateFiles(folder, "*.Contracts.dll").Order(StringComparer.Ordinal))
        {
            if (SharedAssemblies.NameOf(path) is not { Name: { } name } assembly)
            {
                mistakes.Add($"{path}: is not a .NET assembly.");
                continue;
            }

            lock (_lock)
            {
                if (
                    !_files.TryAdd(name, (path, assembly.Version))
                    && _files[name] is var first
                    && first.Version != assembly.Version
                )
                {
                    mistakes.Add(
                        $"{path}: {name} {assembly.Version}, but {first.Path} is {first.Version}; "
                            + "a contract is loaded once, so all services need the same version."
                    );
                }
            }
        }
    }

    /// <summary>The same for a folder whose plug-in comes in the place of another: a contract that is in use and is
    /// another build there is a mistake.</summary>
    public void AddReloaded(string folder, Mistakes mistakes)
    {
        foreach (string path in Directory.EnumerateFiles(folder, "*.Contracts.dll").Order(StringComparer.Ordinal))
        {
            if (SharedAssemblies.NameOf(path) is not { Name: { } name } assembly)
            {
                mistakes.Add($"{path}: is not a .NET assembly.");
                continue;
            }

            lock (_lock)
            {
                Assembly? used = Assemblies.FirstOrDefault(one =>
                    name.Equals(one.GetName().Name, StringComparison.OrdinalIgnoreCase)
                );
                if (used is null)
                {
                    _files[name] = (path, assembly.Version);
                }
                else if (BuildOf(path) != used.ManifestModule.ModuleVersionId)
                {
                    mistakes.Add(
                        $"{path}: this is another build of {name} than the one in use; a contract is loaded once for "
                            + "all services, so the host has to be started anew for it."
                    );
                }
            }
        }
    }

    private static Guid BuildOf(string path)
    {
        try
        {
            using PEReader image = new(new MemoryStream(File.ReadAllBytes(path)));
            MetadataReader reader = image.GetMetadataReader();
            return reader.GetGuid(reader.GetModuleDefinition().Mvid);
        }
        catch (Exception e)
            when (e
                    is BadImageFormatException
                        or InvalidOperationException
                        or IOException
                        or UnauthorizedAccessException
            )
        {
            return Guid.Empty;
        }
    }

    /// <summary>The contract assembly of this name, or null if no folder has it.</summary>
    public Assembly? Resolve(AssemblyName name)
    {
        (string Path, Version? Version) file;
        lock (_lock)
        {
            if (name.Name is null || !_files.TryGetValue(name.Name, out file))
            {
                return null;
            }
        }

        return this.LoadImage(file.Path, usesMachineCode: true);
    }

    /// <inheritdoc/>
    protected override Assembly? Load(AssemblyName assemblyName) =>
        assemblyName.Name is { } name && !SharedAssemblies.IsShared(name) ? Resolve(assemblyName) : null;
}
