using System.Reflection;
using System.Runtime.Loader;

namespace CamCube.Hosting.Loading;

/// <summary>
/// Load context of one plug-in assembly and its private dependencies. The host's shared assemblies come from the host,
/// contracts from
/// <see cref="ContractContext"/>, the rest from the plug-in's own folder. Collectible, so gone after Unload when
/// nothing refers to it, unless the assembly was compiled ahead: the runtime does not use such code in a collectible
/// context, and a server's loop would stand still while the first packets' code is compiled again.
/// </summary>
internal sealed class PluginContext : AssemblyLoadContext
{
    private readonly AssemblyDependencyResolver _resolver;
    private readonly ContractContext _contracts;

    /// <summary>A context.</summary>
    /// <param name="path">The plug-in's main assembly.</param>
    /// <param name="contracts">Where contracts live.</param>
    /// <param name="isReload">It comes in the place of another: then it can be unloaded in any case.</param>
    public PluginContext(string path, ContractContext contracts, bool isReload = false)
        : base(
            $"plug-in {Path.GetFileNameWithoutExtension(path)}",
            isCollectible: isReload || !CompiledAhead.Is(path)
        ) => (_resolver, _contracts) = (new AssemblyDependencyResolver(path), contracts);

    /// <summary>Loads the main assembly.</summary>
    public Assembly LoadMain(string path) => this.LoadImage(path, usesMachineCode: !IsCollectible);

    /// <inheritdoc/>
    protected override Assembly? Load(AssemblyName assemblyName)
    {
        if (assemblyName.Name is not { } name || SharedAssemblies.IsShared(name))
        {
            return null;
        }

        if (SharedAssemblies.IsContract(name) && _contracts.Resolve(assemblyName) is { } contract)
        {
            return contract;
        }

        return _resolver.ResolveAssemblyToPath(assemblyName) is { } path
            ? this.LoadImage(path, usesMachineCode: !IsCollectible)
            : null;
    }

    /// <inheritdoc/>
    protected override nint LoadUnmanagedDll(string unmanagedDllName) =>
        _resolver.ResolveUnmanagedDllToPath(unmanagedDllName) is { } path ? LoadUnmanagedDllFromPath(path) : 0;
}
