using System.Reflection;
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

        return LoadFromAssemblyPath(file.Path);
    }

    /// <inheritdoc/>
    protected override Assembly? Load(AssemblyName assemblyName) =>
        assemblyName.Name is { } name && !SharedAssemblies.IsShared(name) ? Resolve(assemblyName) : null;
}
