using CamCube.Hosting.Loading;
using CamCube.Hosting.Settings;

namespace CamCube.Hosting.Cubes;

/// <summary>Loads the shims that <c>CamCube:LinkProviders</c> lists. They stay loaded as long as the process
/// lives.</summary>
/// <param name="folder">The folder <c>shims</c> of the host.</param>
/// <param name="contracts">Where contract assemblies live.</param>
/// <param name="mistakes">Gets what is wrong.</param>
internal sealed class LinkProviderLoader(string folder, ContractContext contracts, Mistakes mistakes)
{
    /// <summary>One provider per entry.</summary>
    public IReadOnlyList<ILinkProvider> Load(IReadOnlyList<SettingsEntry<LinkProviderEntryOptions>> entries)
    {
        List<ILinkProvider> providers = [];
        foreach (SettingsEntry<LinkProviderEntryOptions> entry in entries)
        {
            foreach (
                string name in entry
                    .Section.GetChildren()
                    .Select(c => c.Key)
                    .Except(SettingsEntry<LinkProviderEntryOptions>.HostNames, StringComparer.OrdinalIgnoreCase)
            )
            {
                mistakes.Add(
                    UnknownSetting.Describe(entry.Path, name, [.. SettingsEntry<LinkProviderEntryOptions>.HostNames])
                        + $" The provider's own settings stand below CamCube:{entry.Name}."
                );
            }

            if (LoadOne(entry, out string? fault) is { } provider)
            {
                providers.Add(provider);
            }
            else
            {
                mistakes.Value($"{entry.Path}:Assembly", entry.Options.Assembly, fault!);
            }
        }

        return providers;
    }

    private ILinkProvider? LoadOne(SettingsEntry<LinkProviderEntryOptions> entry, out string? fault)
    {
        fault = PluginFinder.TryFind(folder, entry.Options.Assembly ?? entry.Name, out string path);
        PluginAssembly? plugin = fault is null ? PluginAssembly.TryLoad(path, contracts, out fault) : null;
        if (plugin is null)
        {
            return null;
        }

        List<ILinkProvider> found =
        [
            .. plugin
                .Types.Where(type => typeof(ILinkProvider).IsAssignableFrom(type))
                .Where(type => type.GetConstructor(Type.EmptyTypes) is not null)
                .Select(type => (ILinkProvider)Activator.CreateInstance(type)!),
        ];
        ILinkProvider? provider = found.Find(p => p.Name.Equals(entry.Name, StringComparison.OrdinalIgnoreCase));
        fault =
            provider is not null ? null
            : found.Count == 0
                ? $"{path} has no public class that implements ILinkProvider and has a constructor without parameters"
            : $"{path} has no link provider named '{entry.Name}'; "
                + $"it has {string.Join(", ", found.Select(p => p.Name))}";
        return provider;
    }
}
