using System.Text.Json;
using CamCube.SystemTests.CommandLine;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.Cables;

/// <summary><c>camcube testbed chaos</c>, for a few seconds: long runs are a command of their own.</summary>
[Collection(CablesGroup.Name)]
public sealed class ChaosTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-chaos-").FullName;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_short_run_is_linearizable_and_nothing_is_left_of_it(bool isRedis)
    {
        RequireAll.Testbed();
        string name = CableBed.NewName(),
            history = Path.Combine(_folder, "history.jsonl");
        string[] redis = isRedis ? ["--redis"] : [];
        ToolRun run = await ToolRun.Of([
            "testbed",
            "chaos",
            "--name",
            name,
            "--shape",
            "1x1x4",
            "--for",
            "15s",
            "--pace",
            "2s",
            "--clients",
            "8",
            "--history",
            history,
            "--json",
            .. redis,
        ]);
        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        JsonElement result = JsonDocument.Parse(run.Output).RootElement;
        Assert.True(result.GetProperty("linearizable").GetBoolean());
        Assert.Empty(result.GetProperty("violations").EnumerateArray());
        Assert.NotEmpty(result.GetProperty("faults").EnumerateObject());
        int operations = result.GetProperty("operations").GetInt32(),
            failed = result.GetProperty("unavailable").GetInt32() + result.GetProperty("unknown").GetInt32();
        Assert.InRange(operations - failed, 300, int.MaxValue);

        // Of values that may end by themselves there is a line more, which nobody asked for.
        Assert.InRange(File.ReadLines(history).Count(), operations, isRedis ? 2 * operations : operations);
        CableBed.AssertNothingLeft(name);
        Assert.DoesNotContain(name, await File.ReadAllTextAsync("/proc/mounts"), StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
