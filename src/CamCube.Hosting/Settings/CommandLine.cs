namespace CamCube.Hosting.Settings;

/// <summary>The host's command line, read strictly: whatever is not understood is a mistake.</summary>
internal sealed class CommandLine
{
    /// <summary>Whether help was asked for.</summary>
    public bool Help { get; private init; }

    /// <summary>Whether the version was asked for.</summary>
    public bool Version { get; private init; }

    /// <summary>A further settings file, or null.</summary>
    public string? SettingsFile { get; private init; }

    /// <summary>The settings, with full names.</summary>
    public required IReadOnlyDictionary<string, string?> Settings { get; init; }

    /// <summary>Reads <c>--CamCube:Shape=4x4x4</c>, <c>--CamCube:Shape 4x4x4</c> and the short <c>--shape
    /// 4x4x4</c>.</summary>
    public static CommandLine Parse(IReadOnlyList<string> arguments, Mistakes mistakes)
    {
        Dictionary<string, string?> settings = new(StringComparer.OrdinalIgnoreCase);
        bool help = false,
            version = false;
        string? file = null;
        for (int i = 0; i < arguments.Count; i++)
        {
            string argument = arguments[i];
            switch (argument)
            {
                case "--help" or "-h" or "-?":
                    help = true;
                    continue;
                case "--version":
                    version = true;
                    continue;
                case var a when !a.StartsWith("--", StringComparison.Ordinal) || a.Length < 3 || a[2] == '=':
                    mistakes.Add($"'{argument}' is not an option; options begin with -- (--help lists them).");
                    continue;
            }

            string name = argument[2..],
                value;
            int equals = name.IndexOf('=');
            if (equals > 0)
            {
                (name, value) = (name[..equals], name[(equals + 1)..]);
            }
            else if (i + 1 < arguments.Count && !arguments[i + 1].StartsWith("--", StringComparison.Ordinal))
            {
                value = arguments[++i];
            }
            else
            {
                mistakes.Add($"--{name} needs a value, as in --{name}=...");
                continue;
            }

            if (name.Equals("settings", StringComparison.OrdinalIgnoreCase))
            {
                file = value;
            }
            else
            {
                settings[FullName(name)] = value;
            }
        }

        return new CommandLine
        {
            Help = help,
            Version = version,
            SettingsFile = file,
            Settings = settings,
        };
    }

    /// <summary>"shape" and "CamCube:Shape" are the same, "hop-limit" is HopLimit.</summary>
    private static string FullName(string name)
    {
        if (name.StartsWith("CamCube:", StringComparison.OrdinalIgnoreCase))
        {
            return name;
        }

        if (name.StartsWith("Logging:", StringComparison.OrdinalIgnoreCase))
        {
            return name;
        }

        // Hyphens only in the first part: names of services and front ends further on have their own.
        string[] parts = name.Split(':', 2);
        string first = parts[0].Replace("-", "", StringComparison.Ordinal);
        string known =
            SettingCatalog
                .Paths.Select(path => path.Split(':')[1])
                .FirstOrDefault(p => p.Equals(first, StringComparison.OrdinalIgnoreCase))
            ?? parts[0];
        return parts.Length == 1 ? $"CamCube:{known}" : $"CamCube:{known}:{parts[1]}";
    }
}
