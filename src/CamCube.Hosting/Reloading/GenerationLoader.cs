using CamCube.Hosting.FrontEnds;
using CamCube.Hosting.Loading;
using CamCube.Hosting.Settings;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;

namespace CamCube.Hosting.Reloading;

/// <summary>Loads an assembly that is to come in the place of one that runs, with the settings as they are
/// now.</summary>
internal sealed class GenerationLoader(ReloadParts parts, ILoggerFactory loggers, TimeProvider time)
{
    /// <summary>What the assembly has, checked against what runs.</summary>
    /// <param name="now">What runs.</param>
    /// <param name="path">A file, or a folder.</param>
    /// <exception cref="ReloadRefusedException">It cannot take its place.</exception>
    public ServiceGeneration Load(ServiceGeneration now, string path)
    {
        Mistakes mistakes = new();
        LoadedServices loaded = new();
        try
        {
            if (PluginFinder.TryFind(path, FileIn(path, now), out string file) is { } fault)
            {
                mistakes.Add($"{fault}.");
            }
            else if (parts.ReadSettings(mistakes) is { } configuration)
            {
                return Load(now, file, configuration, mistakes, ref loaded)
                    ?? throw new ReloadRefusedException(ReloadRefusal.Unfit, string.Join(' ', mistakes.Lines));
            }

            throw new ReloadRefusedException(ReloadRefusal.Unfit, string.Join(' ', mistakes.Lines));
        }
        catch
        {
            loaded.Unload();
            throw;
        }
    }

    // Of several assemblies in a folder the one that is called like what runs is meant.
    private static string FileIn(string path, ServiceGeneration now)
    {
        string same = Path.Combine(path, Path.GetFileName(now.Plugin.Path));
        return File.Exists(same) ? same : path;
    }

    private ServiceGeneration? Load(
        ServiceGeneration now,
        string file,
        IConfigurationRoot configuration,
        Mistakes mistakes,
        ref LoadedServices loaded
    )
    {
        SettingsBinder binder = new(mistakes);
        OptionsReader reader = new(binder, mistakes);
        ConstructorPlanner planner = new(loggers, binder, mistakes);
        SettingsEntry<ServiceEntryOptions>[] entries =
        [
            .. now.Services.Select(service => EntryOf(service.Definition.Name, file, configuration, reader)),
        ];
        loaded = new ServiceLoader(parts.ServicesFolder, parts.Contracts, planner, mistakes)
        {
            Running = parts.Services.Services,
        }.Load(entries);
        foreach (LoadedService old in now.Services)
        {
            // One that was not loaded has been told of.
            if (
                loaded.Services.FirstOrDefault(one => one.Definition.Name == old.Definition.Name) is { } next
                && next.Definition.Id != old.Definition.Id
            )
            {
                mistakes.Add(
                    $"{file}: '{old.Definition.Name}' has the id {next.Definition.Id} there, and the one that runs has "
                        + $"{old.Definition.Id}; a service that is reloaded keeps its id."
                );
            }
        }

        if (mistakes.Any || loaded.Find(file) is not { } plugin)
        {
            return null;
        }

        IReadOnlyList<FrontEndDefinition> frontEnds = new FrontEndLoader(null, planner, time, mistakes).Reload(
            configuration,
            reader.ReadEntries<FrontEndOptions>(configuration.GetSection("CamCube:FrontEnds")),
            loaded.FrontEnds,
            now.FrontEnds
        );
        return mistakes.Any ? null : new ServiceGeneration(plugin, loaded.Services, frontEnds);
    }

    // Whether it is enabled, and with whom, was decided when the host started.
    private static SettingsEntry<ServiceEntryOptions> EntryOf(
        string name,
        string file,
        IConfigurationRoot configuration,
        OptionsReader reader
    )
    {
        IConfigurationSection services = configuration.GetSection("CamCube:Services");
        SettingsEntry<ServiceEntryOptions> entry =
            reader
                .ReadEntries<ServiceEntryOptions>(services)
                .FirstOrDefault(one => one.Name.Equals(name, StringComparison.OrdinalIgnoreCase))
            ?? new(name, services.GetSection(name), new ServiceEntryOptions());
        (entry.Options.Assembly, entry.Options.Enabled, entry.Options.With) = (file, true, null);
        reader.CheckQueue(entry);
        return entry;
    }
}
