using CamCube.ValueTexts;

namespace CamCube.Hosting.Settings;

/// <summary>Words for a setting that does not exist.</summary>
internal static class UnknownSetting
{
    private const int LongestName = 200;

    /// <summary>One line that names the setting and the one that was probably meant, or those that there are.</summary>
    /// <param name="section">Full name of the section it stands in.</param>
    /// <param name="name">Its name there.</param>
    /// <param name="siblings">The names that the section has.</param>
    public static string Describe(string section, string name, IReadOnlyCollection<string> siblings)
    {
        string wrong = $"{section}:{(name.Length > LongestName ? name[..LongestName] + "..." : name)} is not a setting";
        if (NearestName.Find(name, siblings) is { } sibling)
        {
            return $"{wrong}; did you mean {section}:{sibling}?";
        }

        // The right name in the wrong section: CamCube:DetectionTime for CamCube:Liveness:DetectionTime.
        string? elsewhere = SettingCatalog.Paths.FirstOrDefault(path =>
            path.EndsWith($":{name}", StringComparison.OrdinalIgnoreCase) && !path.Contains('{')
        );
        return elsewhere is not null
            ? $"{wrong}; did you mean {elsewhere}?"
            : $"{wrong}; there are {string.Join(", ", siblings.Order(StringComparer.OrdinalIgnoreCase))}.";
    }
}
