using System.Text.RegularExpressions;

namespace CamCube.Testbed;

/// <summary>Names of testbeds.</summary>
public static partial class TestbedNames
{
    /// <summary>The name without --name.</summary>
    public const string Standard = "camcube";

    /// <summary>Whether a text is fit for file names and names of namespaces.</summary>
    public static bool IsName(string text) => Form().IsMatch(text);

    [GeneratedRegex(@"^[a-z0-9][a-z0-9-]{0,31}\z")]
    private static partial Regex Form();
}
