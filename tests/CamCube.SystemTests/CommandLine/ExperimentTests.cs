using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text.Json;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

/// <summary>The built program; what its figures find is tested in CamCube.Tool.Tests.</summary>
public sealed partial class ExperimentTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-experiment-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task The_papers_figures_are_listed()
    {
        ToolRun run = await ToolRun.Of("experiment", "--list", "--json");
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        string[] names =
        [
            .. JsonSerializer
                .Deserialize<JsonElement>(run.Output)
                .EnumerateArray()
                .Select(figure => figure.GetProperty("name").GetString()!),
        ];
        string[] asked = ["fig5a", "fig5b", "fig5c", "keyspace-balance", "topology-numbers"];
        Assert.Equal([], asked.Except(names));
    }

    [Fact]
    public async Task A_smoke_run_prints_an_ASCII_table_and_writes_three_files()
    {
        ToolRun run = await ToolRun.Of("experiment", "fig5a", "--smoke", "--out", _folder);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.All(run.Output, c => Assert.InRange(c, '\n', '~'));
        Assert.All(run.Output.Split('\n'), line => Assert.InRange(line.Length, 0, 120));
        Assert.Contains("not made", run.Output, StringComparison.Ordinal);
        Assert.Equal(3, Directory.GetFiles(_folder).Length);
    }

    [Fact]
    public async Task Ended_by_a_signal_it_keeps_what_there_is_and_says_so()
    {
        string dotnet = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        string[] arguments =
        [
            BuiltPrograms.Find("camcube"),
            "experiment",
            "keyspace-balance",
            "fig5c",
            "--out",
            _folder,
        ];
        using Process process = Process.Start(
            new ProcessStartInfo(dotnet, arguments) { RedirectStandardOutput = true, RedirectStandardError = true }
        )!;
        try
        {
            // The first figure is there; the second takes minutes.
            string? first = await process.StandardOutput.ReadLineAsync().WaitAsync(Patience);
            Assert.StartsWith("keyspace-balance: ", first, StringComparison.Ordinal);
            Task<string> output = process.StandardOutput.ReadToEndAsync(),
                error = process.StandardError.ReadToEndAsync();
            Assert.Equal(0, Kill(process.Id, (int)PosixSignalNumber.Terminate));
            await process.WaitForExitAsync().WaitAsync(Patience);

            string line = Assert.Single((await error).Split('\n', StringSplitOptions.RemoveEmptyEntries));
            Assert.StartsWith("camcube: cancelled; ", line, StringComparison.Ordinal);
            Assert.Equal(130, process.ExitCode);
            Assert.Contains("pass", await output, StringComparison.Ordinal);
            Assert.False(PartialIn("keyspace-balance.json"));
            Assert.True(!File.Exists(Path.Combine(_folder, "fig5c.json")) || PartialIn("fig5c.json"));
        }
        finally
        {
            process.Kill();
        }
    }

    private bool PartialIn(string file) =>
        JsonSerializer
            .Deserialize<JsonElement>(File.ReadAllText(Path.Combine(_folder, file)))
            .GetProperty("partial")
            .GetBoolean();

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    private static partial int Kill(int process, int signal);
}
