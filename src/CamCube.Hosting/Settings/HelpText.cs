namespace CamCube.Hosting.Settings;

/// <summary>What <c>--help</c> prints.</summary>
internal static class HelpText
{
    /// <summary>The text, with these settings of cubes behind the host's own.</summary>
    /// <param name="call">How this program is called.</param>
    /// <param name="cubes">Settings of cubes.</param>
    public static IEnumerable<string> Lines(string call, IEnumerable<SettingDescription> cubes)
    {
        yield return "CamCube host: a 3D-torus cube in one process, or one server of a real one.";
        yield return "";
        yield return $"  {call} [options]";
        yield return "";
        yield return "  --NAME=VALUE or --NAME VALUE   a setting; CamCube: may be left out: --shape 4x4x4";
        yield return "  --settings FILE                a JSON file that is read after appsettings.json";
        yield return "  --help, --version";
        yield return "";
        yield return "A setting can also stand in appsettings.json beside the host, or in the environment as";
        yield return "CamCube__Shape=4x4x4. The command line wins over the environment, and that over the files.";
        yield return "docs/configuration.md says more.";
        yield return "";
        foreach (SettingDescription setting in SettingCatalog.All.Concat(cubes))
        {
            yield return $"  {setting.Path}{(setting.Default.Length > 0 ? $"   default {setting.Default}" : "")}";
            yield return $"      {setting.Effect}";
        }
    }
}
