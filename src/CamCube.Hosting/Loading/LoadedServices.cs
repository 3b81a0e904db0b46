namespace CamCube.Hosting.Loading;

/// <summary>The services of this process, their front ends, and the assemblies they came from.</summary>
internal sealed class LoadedServices
{
    private readonly List<PluginAssembly> _plugins = [];
    private volatile IReadOnlyList<LoadedService> _services = [];
    private readonly List<Type> _frontEnds = [];

    /// <summary>The services in the order of their names.</summary>
    public IReadOnlyList<LoadedService> Services => _services;

    /// <summary>The front ends of their assemblies, and those in assemblies of their own, each once.</summary>
    public IReadOnlyList<Type> FrontEnds => _frontEnds;

    /// <summary>Names of front ends that may have settings though they are not loaded: those of services that are
    /// configured but not enabled, and those that were to come from an assembly of their own.</summary>
    public List<string> AbsentFrontEnds { get; } = [];

    /// <summary>Adds a service.</summary>
    public void Add(LoadedService service)
    {
        _services = [.. _services, service];
        _frontEnds.AddRange(service.FrontEnds.Except(_frontEnds));
    }

    /// <summary>Adds a front end that is not in the assembly of its service.</summary>
    public void Add(Type frontEnd)
    {
        if (!_frontEnds.Contains(frontEnd))
        {
            _frontEnds.Add(frontEnd);
        }
    }

    /// <summary>The assembly that was loaded from a file; null: none was.</summary>
    public PluginAssembly? Find(string path) => _plugins.Find(plugin => plugin.Path == path);

    /// <summary>Others have come in the places of those of the same names.</summary>
    public void Replace(IReadOnlyList<LoadedService> next)
    {
        IReadOnlyList<LoadedService> before = _services;
        foreach (
            Type gone in before.Where(old => next.Any(one => IsSame(one, old))).SelectMany(static old => old.FrontEnds)
        )
        {
            _frontEnds.Remove(gone);
        }

        _frontEnds.AddRange(next.SelectMany(static one => one.FrontEnds).Distinct().Except(_frontEnds));
        _services = [.. before.Select(old => next.FirstOrDefault(one => IsSame(one, old)) ?? old)];
    }

    /// <summary>Unloads one assembly, which nobody uses any more.</summary>
    public WeakReference? Unload(PluginAssembly plugin)
    {
        _plugins.Remove(plugin);
        return plugin.Unload();
    }

    private static bool IsSame(LoadedService one, LoadedService other) => one.Definition.Id == other.Definition.Id;

    /// <summary>Adds an assembly that is to be unloaded in the end.</summary>
    public void Add(PluginAssembly plugin) => _plugins.Add(plugin);

    /// <summary>
    /// Forgets everything and unloads the assemblies. Each answer dies when nobody refers to that assembly's objects
    /// any more: the cube that ran the services must be gone first. None for those that were compiled ahead.
    /// </summary>
    public IReadOnlyList<WeakReference> Unload()
    {
        _services = [];
        _frontEnds.Clear();
        WeakReference[] gone = [.. _plugins.Select(plugin => plugin.Unload()).OfType<WeakReference>()];
        _plugins.Clear();
        return gone;
    }
}
