using System.Text.Json;

namespace CamCube.SystemTests.CommandLine;

public sealed class ServiceCheckTests
{
    private static readonly string Banned = BuiltPrograms.Find("CamCube.TestServices.Banned");

    [Fact]
    public async Task A_breach_is_one_line_with_its_place_and_the_exit_code_is_1()
    {
        ToolRun run = await ToolRun.Of("service", "check", Banned);
        Assert.Equal((1, ""), (run.ExitCode, run.Error));
        Assert.Matches(
            @"Offender\.cs:25: CC0002 CamCube\.TestServices\.Banned\.Offender\.WaitAsync "
                + @"calls System\.Threading\.Tasks\.Task\.Delay: use IServer\.DelayAsync",
            run.Output
        );
        Assert.Matches(@"\.dll: CC0009 CamCube\.TestServices\.Banned\.Shared\._count has static state", run.Output);
        Assert.Matches(@"31 findings, \d+ methods scanned\n$", run.Output);
    }

    [Fact]
    public async Task Json_tells_the_same_for_several_files()
    {
        ToolRun run = await ToolRun.Of("service", "check", Banned, BuiltPrograms.Find("camcube"), "--json");
        Assert.Equal((1, ""), (run.ExitCode, run.Error));
        JsonElement[] results = JsonSerializer.Deserialize<JsonElement[]>(run.Output)!;
        Assert.Equal(2, results.Length);
        JsonElement first = results[0].GetProperty("breaches")[0];
        Assert.Equal(
            ["rule", "file", "line", "member", "ilOffset", "use", "banned", "entry", "advice"],
            first.EnumerateObject().Select(property => property.Name)
        );
        Assert.Equal(13, first.GetProperty("line").GetInt32());
        Assert.Equal("P:System.Environment.TickCount64", first.GetProperty("entry").GetString());
    }

    [Fact]
    public async Task A_clean_assembly_has_exit_code_0_and_what_is_no_assembly_2()
    {
        string clean = Path.Combine(
            Path.GetDirectoryName(BuiltPrograms.Find("camcube"))!,
            "CamCube.Services.Diagnostics.dll"
        );
        ToolRun run = await ToolRun.Of("service", "check", clean);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Contains("nothing found", run.Output, StringComparison.Ordinal);

        foreach (string bad in new[] { "absent.dll", Path.Combine(BuiltPrograms.Root, "README.md") })
        {
            run = await ToolRun.Of("service", "check", Banned, bad);
            Assert.Equal(2, run.ExitCode);
            Assert.Contains(bad, run.OnlyErrorLine(), StringComparison.Ordinal);
        }
    }
}
