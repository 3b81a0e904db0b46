using System.Reflection;
using CamCube.Hosting.Settings;

namespace CamCube.Hosting.Loading;

/// <summary>
/// Loads the front ends that <c>CamCube:FrontEnds</c> gives an assembly of their own. Each assembly gets a load context
/// beside those of the services; what it shares with its service is the service's contracts.
/// </summary>
/// <param name="folder">The folder <c>front-ends</c> of the host.</param>
/// <param name="contracts">Where contract assemblies live.</param>
/// <param name="mistakes">Gets what is wrong.</param>
internal sealed class FrontEndAssemblyLoader(string folder, ContractContext contracts, Mistakes mistakes)
{
    /// <summary>Loads those whose service is loaded.</summary>
    /// <param name="entries">The front ends' settings.</param>
    /// <param name="serviceEntries">The services' settings.</param>
    /// <param name="services">The loaded services; gets the front ends.</param>
    public void Load(
        IReadOnlyList<SettingsEntry<FrontEndOptions>> entries,
        IReadOnlyList<SettingsEntry<ServiceEntryOptions>> serviceEntries,
        LoadedServices services
    )
    {
        List<(SettingsEntry<FrontEndOptions> Entry, string Path)> found = [];
        foreach (SettingsEntry<FrontEndOptions> entry in entries.Where(e => e.Options.Assembly is not null))
        {
            // Its settings are no unknown ones, whatever comes of it.
            services.AbsentFrontEnds.Add(entry.Name);
            if (entry.Options.Enabled == false)
            {
                continue;
            }

            if (PluginFinder.TryFind(folder, entry.Options.Assembly!, out string path) is { } fault)
            {
                mistakes.Value($"{entry.Path}:Assembly", entry.Options.Assembly!, fault);
            }
            else
            {
                found.Add((entry, path));
            }
        }

        foreach (string plugin in found.Select(f => Path.GetDirectoryName(f.Path)!).Distinct())
        {
            contracts.AddFolder(plugin, mistakes);
        }

        foreach ((SettingsEntry<FrontEndOptions> entry, string path) in found)
        {
            LoadOne(entry, path, serviceEntries, services);
        }
    }

    private void LoadOne(
        SettingsEntry<FrontEndOptions> entry,
        string path,
        IReadOnlyList<SettingsEntry<ServiceEntryOptions>> serviceEntries,
        LoadedServices services
    )
    {
        string setting = $"{entry.Path}:Assembly",
            written = entry.Options.Assembly!;
        if (services.Find(path) is not { } plugin)
        {
            if (PluginAssembly.TryLoad(path, contracts, out string? reason) is not { } loaded)
            {
                mistakes.Value(setting, written, $"{path}: {reason}");
                return;
            }

            services.Add(plugin = loaded);
        }

        ILookup<string?, Type> types = plugin.Types.ToLookup(
            type => type.GetCustomAttribute<FrontEndAttribute>()?.Name,
            StringComparer.OrdinalIgnoreCase
        );
        if (!types.Contains(entry.Name))
        {
            string[] names = [.. types.Select(one => one.Key).OfType<string>()];
            string has = names.Length == 0 ? "none" : string.Join(", ", names);
            mistakes.Value(setting, written, $"{path} has no front end named '{entry.Name}'; it has {has}");
        }

        foreach (Type type in types[entry.Name].Where(type => IsServed(type, plugin, serviceEntries, services)))
        {
            services.Add(type);
        }
    }

    /// <summary>Whether its service is loaded. If not, that is a mistake, unless the service is not to be.</summary>
    private bool IsServed(
        Type type,
        PluginAssembly plugin,
        IReadOnlyList<SettingsEntry<ServiceEntryOptions>> entries,
        LoadedServices services
    )
    {
        FrontEndAttribute attribute = type.GetCustomAttribute<FrontEndAttribute>()!;
        if (attribute.Service is not { } name)
        {
            if (services.Services.Any(service => service.Plugin == plugin))
            {
                return true;
            }

            mistakes.Add(
                $"{type.FullName} is in an assembly without a service: "
                    + $"[FrontEnd(\"{attribute.Name}\", …, Service = \"…\")] has to name its service."
            );
            return false;
        }

        if (!entries.Any(entry => Is(entry.Name, name)))
        {
            mistakes.Add(
                $"CamCube:FrontEnds:{attribute.Name} is for the service '{name}', and there is no "
                    + $"CamCube:Services:{name}; add it, or set CamCube:FrontEnds:{attribute.Name}:Enabled to false."
            );
            return false;
        }

        // One that is listed but not loaded is not enabled, or its own mistake has been named.
        if (services.Services.FirstOrDefault(one => Is(one.Definition.Name, name)) is not { } service)
        {
            return false;
        }

        if (service.Plugin is { } its && its != plugin && plugin.Names(its))
        {
            mistakes.Add(
                $"{plugin.Path} names types of {Path.GetFileNameWithoutExtension(its.Path)}, which has the service "
                    + $"'{name}', and would get a second set of them; only *.Contracts are shared."
            );
            return false;
        }

        return true;
    }

    private static bool Is(string one, string other) => one.Equals(other, StringComparison.OrdinalIgnoreCase);
}
