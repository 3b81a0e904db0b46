using CamCube.Hosting.Settings;
using Microsoft.Extensions.Configuration;

namespace CamCube.Hosting.Cubes;

/// <summary>Finds the factory that <c>CamCube:Shim</c> names, and checks the settings that depend on it.</summary>
internal static class CubeChooser
{
    /// <summary>The factory, or null after a mistake.</summary>
    public static ICubeFactory? Choose(
        CamCubeOptions options,
        IReadOnlyList<ICubeFactory> factories,
        IConfiguration configuration,
        SettingsBinder binder,
        Mistakes mistakes
    )
    {
        ICubeFactory? chosen = factories.FirstOrDefault(f =>
            f.Name.Equals(options.Shim, StringComparison.OrdinalIgnoreCase)
        );
        if (chosen is null)
        {
            string names = string.Join(", ", factories.Select(f => f.Name).Order(StringComparer.OrdinalIgnoreCase));
            mistakes.Value("CamCube:Shim", options.Shim, $"there is no such shim; allowed is {names}");
        }
        else if (!chosen.RunsWholeCube)
        {
            CheckCoordinate(options, chosen, mistakes);
        }

        foreach (ICubeFactory factory in factories)
        {
            if (factory.KnowsAllSettings)
            {
                CheckNames(factory, configuration, mistakes);
            }

            if (factory.Options is { } target)
            {
                binder.Bind(configuration.GetSection($"CamCube:{factory.Name}"), [target], []);
            }
        }

        return chosen;
    }

    /// <summary>The flat settings of a factory: <c>CamCube:{Name}:A:B</c> becomes <c>A:B</c>.</summary>
    public static IReadOnlyDictionary<string, string> SettingsOf(ICubeFactory factory, IConfiguration configuration) =>
        configuration
            .GetSection($"CamCube:{factory.Name}")
            .AsEnumerable(makePathsRelative: true)
            .Where(setting => setting.Value is not null)
            .ToDictionary(setting => setting.Key, setting => setting.Value!, StringComparer.OrdinalIgnoreCase);

    private static void CheckNames(ICubeFactory factory, IConfiguration configuration, Mistakes mistakes)
    {
        string section = $"CamCube:{factory.Name}";
        string[] known = [.. factory.Settings.Select(setting => setting.Path[(section.Length + 1)..])];
        foreach (string name in SettingsOf(factory, configuration).Keys)
        {
            bool isKnown = known.Any(k =>
                k.EndsWith('}')
                    ? name.StartsWith(k[..k.IndexOf('{')], StringComparison.OrdinalIgnoreCase)
                    : k.Equals(name, StringComparison.OrdinalIgnoreCase)
            );
            if (!isKnown)
            {
                mistakes.Add(UnknownSetting.Describe(section, name, known));
            }
        }
    }

    private static void CheckCoordinate(CamCubeOptions options, ICubeFactory chosen, Mistakes mistakes)
    {
        if (options.Coordinate is not { } coordinate)
        {
            if (!chosen.NeedsCoordinate)
            {
                return;
            }

            mistakes.Add(
                $"CamCube:Coordinate is needed with CamCube:Shim = '{chosen.Name}': "
                    + "the place of this server, as in 0,0,0."
            );
        }
        else if (!options.Shape.Contains(coordinate))
        {
            TorusShape shape = options.Shape;
            mistakes.Value(
                "CamCube:Coordinate",
                coordinate.ToString(),
                $"with the shape {shape} allowed is 0,0,0 to {shape.X - 1},{shape.Y - 1},{shape.Z - 1}"
            );
        }
    }
}
