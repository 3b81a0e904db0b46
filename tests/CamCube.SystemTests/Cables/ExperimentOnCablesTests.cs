using System.Diagnostics;
using System.Text.Json;
using CamCube.SystemTests.CommandLine;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.Cables;

/// <summary><c>camcube experiment fig4</c>, as small as possible: it runs on real cables, and nothing is left of
/// them.</summary>
[Collection(CablesGroup.Name)]
public sealed class ExperimentOnCablesTests : IDisposable
{
    private const string States = "/run/camcube-testbed";
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-fig4-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Every_part_of_the_figure_runs_and_leaves_numbers()
    {
        RequireAll.Testbed();
        using Process process = Start();
        try
        {
            (int exitCode, string error) = await EndAsync(process);
            Assert.True(exitCode == 0, error);
        }
        finally
        {
            process.Kill();
        }

        AssertNothingLeft(process.Id);
        JsonElement json = Result();
        Assert.False(json.GetProperty("partial").GetBoolean());
        JsonElement[][] rows =
        [
            .. json.GetProperty("table")
                .GetProperty("rows")
                .EnumerateArray()
                .Select(row => row.EnumerateArray().ToArray()),
        ];
        Assert.Equal(
            ["C10", "C4a", "C4b", "C4c", "C4d", "R6"],
            rows.Select(row => row[0].GetString()).Distinct().Order(StringComparer.Ordinal)
        );

        // Real traffic: something arrives over every loaded link, pings are answered, both kinds of routing move
        // packets.
        Assert.All(
            rows.Where(row =>
                row[3].GetString()
                    is "part of what L links carry"
                        or "median round trip"
                        or "packets per cable"
                        or "share of the link's bytes"
            ),
            row => Assert.InRange(row[4].GetDouble(), 0.01, 1e9)
        );
        Assert.Contains(
            json.GetProperty("notes").EnumerateArray(),
            note => note.GetString()!.StartsWith("Scaled: 4 servers in a cube 2x2x1", StringComparison.Ordinal)
        );
    }

    [Fact]
    public async Task Ended_by_a_signal_it_removes_its_testbed_and_keeps_what_there_is()
    {
        RequireAll.Testbed();
        using Process process = Start();
        try
        {
            string state = Path.Combine(States, $"cc-fig4-{process.Id}-1.json");
            Assert.True(SpinWait.SpinUntil(() => File.Exists(state), 60_000), "It made no testbed.");
            HostProcess.Send(process.Id, PosixSignalNumber.Terminate);
            (int exitCode, string error) = await EndAsync(process);
            Assert.Equal((130, true), (exitCode, error.Contains("what there is of fig4", StringComparison.Ordinal)));
        }
        finally
        {
            process.Kill();
        }

        AssertNothingLeft(process.Id);
        Assert.True(Result().GetProperty("partial").GetBoolean());
    }

    private static async Task<(int ExitCode, string Error)> EndAsync(Process process)
    {
        Task<string> output = process.StandardOutput.ReadToEndAsync(),
            error = process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync().WaitAsync(TimeSpan.FromMinutes(5));
        return (process.ExitCode, await error + await output);
    }

    private static void AssertNothingLeft(int process)
    {
        string name = $"cc-fig4-{process}-";
        Assert.DoesNotContain(Entries("/run/netns"), entry => entry.StartsWith(name, StringComparison.Ordinal));
        Assert.DoesNotContain(Entries(States), entry => entry.StartsWith(name, StringComparison.Ordinal));
    }

    private static IEnumerable<string> Entries(string folder) =>
        Directory.Exists(folder) ? Directory.GetFileSystemEntries(folder).Select(entry => Path.GetFileName(entry)) : [];

    private Process Start() =>
        Process.Start(
            new ProcessStartInfo(
                Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet",
                [BuiltPrograms.Find("camcube"), "experiment", "fig4", "--smoke", "--out", _folder]
            )
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            }
        )!;

    private JsonElement Result() =>
        JsonDocument.Parse(File.ReadAllText(Path.Combine(_folder, "fig4.json"))).RootElement;
}
