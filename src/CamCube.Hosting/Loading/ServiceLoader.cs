using System.Reflection;
using CamCube.Hosting.Settings;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.ValueTexts;

namespace CamCube.Hosting.Loading;

/// <summary>Loads the services that <c>CamCube:Services</c> lists. Each assembly gets one load context, shared by all
/// servers of the process; the code runs with all rights of the host.</summary>
/// <param name="folder">The folder <c>services</c> of the host.</param>
/// <param name="contracts">Where contract assemblies live.</param>
/// <param name="planner">Reads constructors.</param>
/// <param name="mistakes">Gets what is wrong.</param>
internal sealed class ServiceLoader(
    string folder,
    ContractContext contracts,
    ConstructorPlanner planner,
    Mistakes mistakes
)
{
    private readonly Dictionary<string, PluginAssembly> _loaded = new(StringComparer.Ordinal);

    /// <summary>The services that run already, if what is loaded comes in the places of some of them.</summary>
    public IReadOnlyList<LoadedService>? Running { get; init; }

    /// <summary>Loads the enabled ones.</summary>
    public LoadedServices Load(IReadOnlyList<SettingsEntry<ServiceEntryOptions>> entries)
    {
        LoadedServices result = new();
        List<(SettingsEntry<ServiceEntryOptions> Entry, string Path)> found = [];
        foreach (SettingsEntry<ServiceEntryOptions> entry in entries)
        {
            string? fault = PluginFinder.TryFind(folder, entry.Options.Assembly ?? entry.Name, out string path);
            bool isEnabled = entry.Options.Enabled && IsWithOther(entry, entries);
            if (fault is null && isEnabled)
            {
                found.Add((entry, path));
            }
            else if (fault is null)
            {
                result.AbsentFrontEnds.AddRange(FrontEndsOfDisabled(path));
            }
            else if (isEnabled)
            {
                ReportMissing(entry, fault, entries);
            }
        }

        // All contracts before the first service, so that it does not matter which of two folders comes first.
        foreach (string plugin in found.Select(f => Path.GetDirectoryName(f.Path)!).Distinct())
        {
            if (Running is null)
            {
                contracts.AddFolder(plugin, mistakes);
            }
            else
            {
                contracts.AddReloaded(plugin, mistakes);
            }
        }

        foreach ((SettingsEntry<ServiceEntryOptions> entry, string path) in found)
        {
            if (LoadOne(entry, path, result) is { } service)
            {
                result.Add(service);
            }
        }

        CheckIds(result);
        CheckNeeds(result);
        return result;
    }

    private bool IsWithOther(
        SettingsEntry<ServiceEntryOptions> entry,
        IReadOnlyList<SettingsEntry<ServiceEntryOptions>> entries
    )
    {
        if (entry.Options.With is not { Length: > 0 } name)
        {
            return true;
        }

        if (entries.FirstOrDefault(e => e.Name == name) is { } other)
        {
            return other.Options.Enabled;
        }

        mistakes.Value($"{entry.Path}:With", name, $"there is no service CamCube:Services:{name}");
        return false;
    }

    private void ReportMissing(
        SettingsEntry<ServiceEntryOptions> entry,
        string fault,
        IReadOnlyList<SettingsEntry<ServiceEntryOptions>> entries
    )
    {
        if (entry.Options.Assembly is { } written)
        {
            mistakes.Value($"{entry.Path}:Assembly", written, fault);
            return;
        }

        string? nearest = NearestName.Find(entry.Name, [.. entries.Where(e => e != entry).Select(e => e.Name)]);
        mistakes.Add(
            nearest is null
                ? $"{entry.Path}: {fault}; set {entry.Path}:Assembly to the service's assembly."
                : $"{entry.Path}: {fault}; did you mean CamCube:Services:{nearest}? "
                    + $"Otherwise set {entry.Path}:Assembly."
        );
    }

    private List<string> FrontEndsOfDisabled(string path)
    {
        if (PluginAssembly.TryLoad(path, contracts, out _) is not { } plugin)
        {
            return [];
        }

        List<string> names =
        [
            .. plugin.Types.Select(type => type.GetCustomAttribute<FrontEndAttribute>()?.Name).OfType<string>(),
        ];
        plugin.Unload();
        return names;
    }

    private LoadedService? LoadOne(SettingsEntry<ServiceEntryOptions> entry, string path, LoadedServices result)
    {
        string setting = $"{entry.Path}:Assembly",
            written = entry.Options.Assembly ?? entry.Name;
        if (!_loaded.TryGetValue(path, out PluginAssembly? plugin))
        {
            if (PluginAssembly.TryLoad(path, contracts, out string? reason, Running is not null) is not { } loaded)
            {
                mistakes.Value(setting, written, $"{path}: {reason}");
                return null;
            }

            _loaded[path] = plugin = loaded;
            result.Add(plugin);
        }

        (Type? type, string? fault) = Choose(entry.Name, plugin);
        if (type is null)
        {
            mistakes.Value(setting, written, fault!);
            return null;
        }

        ConstructorPlan<ServiceActivation>? plan = planner.Plan(
            type,
            entry.Section,
            SettingsEntry<ServiceEntryOptions>.HostNames,
            ServiceInjection.Supply,
            ServiceInjection.Supplied,
            out object? options
        );
        return plan is null ? null : Define(entry, type, plan, options, plugin);
    }

    private LoadedService? Define(
        SettingsEntry<ServiceEntryOptions> entry,
        Type type,
        ConstructorPlan<ServiceActivation> plan,
        object? options,
        PluginAssembly plugin
    )
    {
        try
        {
            ServiceDefinition definition = ServiceDefinition.Of(
                type,
                activation => (ICamCubeService)plan.Create(activation),
                entry.Options.Queue,
                plugin.Version,
                plugin.Hash
            );
            Type[] frontEnds = [.. plugin.Types.Where(t => t.GetCustomAttribute<FrontEndAttribute>() is not null)];
            return new LoadedService(definition, options, frontEnds) { Type = type, Plugin = plugin };
        }
        catch (ArgumentException e)
        {
            string parameter = $" (Parameter '{e.ParamName}')";
            mistakes.Add($"{entry.Path}: {e.Message.Replace(parameter, "", StringComparison.Ordinal)}");
            return null;
        }
    }

    private static (Type? Type, string? Fault) Choose(string name, PluginAssembly plugin)
    {
        (Type Type, string? Name)[] services =
        [
            .. plugin
                .Types.Select(type => (Type: type, type.GetCustomAttribute<CamCubeServiceAttribute>()?.Name))
                .Where(s => s.Name is not null || typeof(ICamCubeService).IsAssignableFrom(s.Type)),
        ];
        (Type Type, string? Name)[] named =
        [
            .. services.Where(s => name.Equals(s.Name, StringComparison.OrdinalIgnoreCase)),
        ];
        string[] names = [.. services.Select(s => s.Name).OfType<string>()];
        return (services, named, names) switch
        {
            ([], _, _) => (null, $"{plugin.Path} has no public class that implements ICamCubeService"),
            (_, [{ } only], _) => (only.Type, null),
            (_, [{ } first, { } second, ..], _) => (
                null,
                $"two classes are named '{name}': {first.Type.FullName} and {second.Type.FullName}"
            ),
            (_, _, []) => (null, $"{services[0].Type.FullName} has no [CamCubeService(id, \"{name}\")]"),
            _ => (null, $"{plugin.Path} has no service named '{name}'; it has {string.Join(", ", names)}"),
        };
    }

    // Options that are wrong in themselves have been told already.
    private void CheckNeeds(LoadedServices result)
    {
        foreach (LoadedService service in mistakes.Any ? [] : result.Services)
        {
            if (
                service.Options is IServiceNeeds { Need: { } need }
                && !result.Services.Concat(Running ?? []).Any(other => need.Contract.IsAssignableFrom(other.Type))
            )
            {
                mistakes.Add(
                    $"CamCube:Services:{service.Definition.Name}:{need.Setting} needs a service with "
                        + $"{need.Contract.Name}, and none is enabled. {need.Remedy}"
                );
            }
        }
    }

    private void CheckIds(LoadedServices result)
    {
        var shared = result.Services.GroupBy(service => service.Definition.Id).Where(group => group.Count() > 1);
        foreach (IGrouping<ServiceId, LoadedService> same in shared)
        {
            string names = string.Join(" and ", same.Select(s => $"CamCube:Services:{s.Definition.Name}"));
            mistakes.Add($"{names} have the same id {same.Key}; give one another id, or set its Enabled to false.");
        }

        // One is the link-state service.
        if (result.Services.Count > ServiceDefinition.MostServices - 1)
        {
            mistakes.Add(
                $"CamCube:Services has {result.Services.Count} services; "
                    + $"a server runs at most {ServiceDefinition.MostServices - 1}."
            );
        }
    }
}
