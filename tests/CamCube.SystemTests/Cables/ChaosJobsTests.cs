using System.Text.Json;
using CamCube.SystemTests.CommandLine;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.Cables;

/// <summary><c>camcube testbed chaos-jobs</c>, a job or two: long runs are a command of their own.</summary>
[Collection(CablesGroup.Name)]
public sealed class ChaosJobsTests
{
    [Fact]
    public async Task Jobs_with_a_fault_give_what_undisturbed_ones_do_and_nothing_is_left_of_them()
    {
        RequireAll.Testbed();
        string name = CableBed.NewName();
        ToolRun run = await ToolRun.Of(
            "testbed",
            "chaos-jobs",
            "--name",
            name,
            "--shape",
            "2x2x2",
            "--jobs",
            "2",
            "--json"
        );
        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        JsonElement result = JsonDocument.Parse(run.Output).RootElement;
        Assert.Empty(result.GetProperty("violations").EnumerateArray());
        Assert.Equal(2, result.GetProperty("jobs").GetArrayLength());
        Assert.Equal(
            ["KillTracker", "KillRoot"],
            result.GetProperty("faults").EnumerateObject().Select(static one => one.Name)
        );
        CableBed.AssertNothingLeft(name);
        Assert.DoesNotContain(name, await File.ReadAllTextAsync("/proc/mounts"), StringComparison.Ordinal);
    }
}
