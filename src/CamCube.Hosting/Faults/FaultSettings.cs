using CamCube.Hosting.Settings;

namespace CamCube.Hosting.Faults;

/// <summary>Fault rules from the settings (<c>CamCube:Faults</c>), in force from the moment in which the servers
/// run.</summary>
internal static class FaultSettings
{
    /// <summary>The setting.</summary>
    public const string Name = "CamCube:Faults";

    /// <summary>Reads rules, as in <c>loss probability=0.2 at=self:+x; delay time=1ms</c>, and looks at all of them but
    /// where they are to be.</summary>
    /// <param name="text">The setting, or null.</param>
    /// <param name="isAllowed">Whether the links of this process obey rules.</param>
    /// <param name="mistakes">Takes what is wrong.</param>
    public static IReadOnlyList<FaultSetting> Read(string? text, bool isAllowed, Mistakes mistakes)
    {
        List<FaultSetting> rules = [];
        foreach (
            string rule in (text ?? "").Split(
                ';',
                StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries
            )
        )
        {
            string[] words = rule.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            Dictionary<string, string> arguments = [];
            string? twisted = Array.Find(
                words[1..],
                word =>
                    word.IndexOf('=', StringComparison.Ordinal) is not (> 0 and var at)
                    || !arguments.TryAdd(word[..at], word[(at + 1)..])
            );
            if (twisted is not null)
            {
                mistakes.Add($"{Name} = '{rule}': '{twisted}' must be name=value, and each name may stand once.");
                continue;
            }

            try
            {
                FaultReader.FaultOf(words[0], arguments);
                rules.Add(new FaultSetting(rule, words[0], arguments));
            }
            catch (FormatException e)
            {
                mistakes.Add($"{Name} = '{rule}': {e.Message}");
            }
        }

        if (rules.Count > 0 && !isAllowed)
        {
            mistakes.Add($"{Name} = '{text}': on a real server fault rules need CamCube:AllowControl=true.");
        }

        return rules;
    }

    /// <summary>Puts rules into force. The servers have their places.</summary>
    /// <exception cref="FaultSettingException">A rule names a server or a link that is not there.</exception>
    public static void Apply(IReadOnlyList<FaultSetting> rules, FaultReader reader, FaultDesk desk)
    {
        foreach (FaultSetting rule in rules)
        {
            try
            {
                desk.Add(reader.Read(rule.Kind, rule.Arguments));
            }
            catch (FormatException e)
            {
                throw new FaultSettingException($"{Name} = '{rule.Text}': {e.Message}", e);
            }
        }
    }
}
