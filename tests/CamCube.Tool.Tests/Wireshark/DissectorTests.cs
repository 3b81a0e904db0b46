using System.Text.RegularExpressions;

namespace CamCube.Tool.Tests.Wireshark;

/// <summary>What can be said of the dissector without tshark; tools/wireshark/check does the rest.</summary>
public sealed partial class DissectorTests
{
    [Fact]
    public void It_knows_our_services_by_the_names_and_numbers_that_they_have()
    {
        string lua = File.ReadAllText(Path.Combine(Repository.Root, "tools", "wireshark", "camcube.lua"));
        var known = ServiceName().Matches(lua).ToDictionary(m => m.Groups[1].Value, m => m.Groups[2].Value);
        var real = new Dictionary<string, string> { ["0x0001"] = "link-state" };
        string services = Path.Combine(Repository.Root, "Services");
        foreach (string file in Directory.EnumerateFiles(services, "*.cs", SearchOption.AllDirectories))
        {
            foreach (Match match in ServiceAttribute().Matches(File.ReadAllText(file)))
            {
                real.Add(match.Groups[1].Value, match.Groups[2].Value);
            }
        }

        Assert.True(real.Count >= 4, $"{real.Count} services");
        Assert.Equal(real.OrderBy(pair => pair.Key), known.OrderBy(pair => pair.Key));
    }

    [Fact]
    public void It_knows_which_of_our_services_use_streams()
    {
        string lua = File.ReadAllText(Path.Combine(Repository.Root, "tools", "wireshark", "camcube.lua"));
        string known = lua.Split('\n')
            .Single(line => line.StartsWith("local stream_services", StringComparison.Ordinal));
        string services = Path.Combine(Repository.Root, "Services");
        string[] real = [.. Directory.EnumerateDirectories(services).SelectMany(StreamServicesOf)];
        Assert.True(real.Length >= 2, $"{real.Length} services");
        Assert.Equal(real.Order(), StreamService().Matches(known).Select(match => match.Groups[1].Value).Order());
    }

    // A project's file with streams has its service's attribute, too, or the project has one service only.
    private static IEnumerable<string> StreamServicesOf(string project)
    {
        string[] texts =
        [
            .. Directory.EnumerateFiles(project, "*.cs", SearchOption.AllDirectories).Select(File.ReadAllText),
        ];
        string[] all = [.. texts.SelectMany(NumbersIn)];
        return texts
            .Where(text => StreamUse().IsMatch(text))
            .SelectMany(text => NumbersIn(text) is { Length: > 0 } own ? own : [Assert.Single(all)])
            .Distinct();
    }

    private static string[] NumbersIn(string text) =>
        [.. ServiceAttribute().Matches(text).Select(match => match.Groups[1].Value)];

    // Pulls travel in streams.
    [GeneratedRegex("new (StreamEndpoint|PullEndpoint)<")]
    private static partial Regex StreamUse();

    [GeneratedRegex("\\[(0x[0-9a-fA-F]{4})\\] = true")]
    private static partial Regex StreamService();

    [GeneratedRegex("^    \\[(0x[0-9a-fA-F]{4})\\] = \"([a-z-]+)\",$", RegexOptions.Multiline)]
    private static partial Regex ServiceName();

    [GeneratedRegex("^\\[CamCubeService\\((0x[0-9a-fA-F]{4}), \"([a-z-]+)\"", RegexOptions.Multiline)]
    private static partial Regex ServiceAttribute();
}
