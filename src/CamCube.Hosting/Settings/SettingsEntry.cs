using Microsoft.Extensions.Configuration;

namespace CamCube.Hosting.Settings;

/// <summary>One named entry of a section: a service, a front end, a plug-in.</summary>
/// <param name="Name">Name the user gave it.</param>
/// <param name="Section">All its settings.</param>
/// <param name="Options">Those that the host reads.</param>
/// <typeparam name="T">Their class.</typeparam>
internal sealed record SettingsEntry<T>(string Name, IConfigurationSection Section, T Options)
    where T : class
{
    /// <summary>Full name.</summary>
    public string Path => Section.Path;

    /// <summary>Names of the settings that the host reads.</summary>
    public static IReadOnlyList<string> HostNames { get; } =
    [.. SettingsBinder.PropertiesOf(typeof(T)).Select(p => p.Name)];
}
