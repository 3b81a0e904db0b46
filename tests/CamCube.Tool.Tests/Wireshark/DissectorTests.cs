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

    [Theory]
    [InlineData("distribution_kinds", "CamCube.Services.Distribution/Wire/DistributionKind.cs")]
    [InlineData("member_stages", "CamCube.Services.Distribution.Contracts/MemberStage.cs")]
    [InlineData("tree_kinds", "../src/CamCube.Trees/Plans/TreeKind.cs")]
    [InlineData("origin_kinds", "CamCube.Services.Distribution/Wire/OriginKind.cs")]
    [InlineData("operation_kinds", "CamCube.Services.Collectives/Wire/OperationKind.cs")]
    [InlineData("element_types", "CamCube.Services.Collectives.Contracts/ElementType.cs")]
    [InlineData("operators", "CamCube.Services.Collectives.Contracts/ReduceOperator.cs")]
    [InlineData("camdoop_kinds", "CamCube.Services.Camdoop/Wire/CamdoopKind.cs")]
    [InlineData("job_statuses", "CamCube.Services.Camdoop.Contracts/JobStatus.cs")]
    public void It_knows_the_numbers_of_the_wire_format(string table, string file)
    {
        string lua = File.ReadAllText(Path.Combine(Repository.Root, "tools", "wireshark", "camcube.lua"));
        string line = lua.Split('\n').Single(l => l.StartsWith($"local {table} = {{", StringComparison.Ordinal));
        int first = line.Contains("[0] =", StringComparison.Ordinal) ? 0 : 1;
        string source = File.ReadAllText(Path.Combine(Repository.Root, "Services", file));
        string[] known = [.. Quoted().Matches(line).Select((m, i) => $"{Letters(m.Groups[1].Value)} = {first + i}")];
        string[] real =
        [
            .. EnumValue()
                .Matches(source)
                .Where(m => first == 0 || m.Groups[2].Value != "0")
                .Select(m => $"{Letters(m.Groups[1].Value)} = {m.Groups[2].Value}"),
        ];
        Assert.NotEmpty(real);
        Assert.Equal(real, known);
    }

    private static string Letters(string name) => new([.. name.ToLowerInvariant().Where(char.IsLetterOrDigit)]);

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

    [GeneratedRegex("\"([a-z0-9 -]+)\"")]
    private static partial Regex Quoted();

    [GeneratedRegex("^    ([A-Za-z0-9]+) = ([0-9]+),", RegexOptions.Multiline)]
    private static partial Regex EnumValue();

    [GeneratedRegex("\\[(0x[0-9a-fA-F]{4})\\] = true")]
    private static partial Regex StreamService();

    [GeneratedRegex("^    \\[(0x[0-9a-fA-F]{4})\\] = \"([a-z-]+)\",$", RegexOptions.Multiline)]
    private static partial Regex ServiceName();

    [GeneratedRegex("^\\[CamCubeService\\((0x[0-9a-fA-F]{4}), \"([a-z-]+)\"", RegexOptions.Multiline)]
    private static partial Regex ServiceAttribute();
}
