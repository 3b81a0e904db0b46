using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Nodes;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

public sealed class SwarmTests : IDisposable
{
    private static readonly string[] Quick = ["sim", "swarm", "--shape", "2x2x2"];
    private static readonly string[] Canary =
    [
        "sim",
        "swarm",
        "--shape",
        "3x3x3",
        "--services",
        "canary",
        "--faults",
        "crash",
    ];
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-swarm-");

    private string File => Path.Combine(_folder.FullName, "swarm.json");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task A_range_of_seeds_passes_with_one_line_of_fixed_width_per_event_class()
    {
        ToolRun run = await ToolRun.Of([
            .. Quick,
            "--seeds",
            "1..3",
            "--services",
            "keys,pings,cache",
            "--faults",
            "crash,halves,loss",
        ]);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        string[] lines = run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.All(lines, line => Assert.Equal(lines[0].Length, line.Length));
        string[] classes =
        [
            "fault crash",
            "fault halves",
            "fault loss",
            "key packet delivered",
            "ping answered",
            "cache get: Done",
            "root overlap",
            "root overlap, longest (ms)",
            "convergence, median (ms)",
            "check one-root",
            "check cache-reads failed",
            "trace hash of all runs",
        ];
        foreach (string eventClass in classes)
        {
            Assert.Single(lines, line => line.StartsWith(eventClass + "  ", StringComparison.Ordinal));
        }
    }

    [Fact]
    public async Task The_canary_fails_names_its_seed_and_is_replayed_with_the_same_trace_also_from_its_file()
    {
        ToolRun run = await ToolRun.Of([.. Canary, "--seeds", "4..5", "--out", _folder.FullName]);
        Assert.Equal((1, ""), (run.ExitCode, run.Error));
        Assert.Contains("FAILED seed 4: 3x3x3", run.Output, StringComparison.Ordinal);
        string again = run.Output.Split("again: camcube ")[1].Split('\n')[0];
        Assert.Equal("sim swarm --seed 4 --shape 3x3x3 --services canary --faults crash", again);
        foreach (string command in (string[])[again, $"sim swarm --seed 4 --replay {File}"])
        {
            ToolRun second = await ToolRun.Of(command.Split(' '));
            Assert.Equal(1, second.ExitCode);
            Assert.Equal(HashOf(run.Output), HashOf(second.Output));
        }
    }

    [Fact]
    public async Task An_output_folder_that_is_a_file_is_named()
    {
        await System.IO.File.WriteAllTextAsync(File, "x");
        ToolRun run = await ToolRun.Of([.. Quick, "--out", File]);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains($"--out {File} is a file; a folder is needed.", run.OnlyErrorLine(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(
        """{"format":"camcube swarm","version":77,"runs":[]}""",
        "its version is 77, this program replays version"
    )]
    [InlineData("""{"format":"other"}""", "this is no result file of camcube sim swarm")]
    [InlineData("not json", "the file is damaged")]
    [InlineData("""{"format":"camcube swarm","version":1,"runs":[]}""", "no run in it failed")]
    [InlineData(null, "Could not find file")]
    public async Task A_replay_file_that_cannot_be_replayed_is_one_line_that_says_why(string? content, string says)
    {
        if (content is not null)
        {
            await System.IO.File.WriteAllTextAsync(File, content);
        }

        ToolRun run = await ToolRun.Of("sim", "swarm", "--replay", File);
        Assert.Equal(2, run.ExitCode);
        string line = run.OnlyErrorLine();
        Assert.Contains($"--replay {File}", line, StringComparison.Ordinal);
        Assert.Contains(says, line, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Ctrl_C_keeps_what_was_done_marked_as_partial()
    {
        string dotnet = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        // Some runners start programs with SIGINT ignored.
        using Process process = Process.Start(
            new ProcessStartInfo(
                "env",
                [
                    "--default-signal=INT",
                    dotnet,
                    BuiltPrograms.Find("camcube"),
                    .. Canary,
                    "--seeds",
                    "4..100003",
                    "--workers",
                    "1",
                    "--out",
                    _folder.FullName,
                ]
            )
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            }
        )!;
        Task<string> error = process.StandardError.ReadToEndAsync();
        Task<string>? output = null;
        using var limit = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        try
        {
            // A failed run is printed as soon as it has ended, and the file has the first that ended by then.
            Assert.StartsWith(
                "FAILED seed ",
                await process.StandardOutput.ReadLineAsync(limit.Token),
                StringComparison.Ordinal
            );
            Assert.NotEmpty(Runs(File));
            output = process.StandardOutput.ReadToEndAsync();
            HostProcess.Send(process.Id, PosixSignalNumber.Interrupt);
            await process.WaitForExitAsync(limit.Token);
        }
        catch (OperationCanceledException)
        {
            process.Kill();
            throw new TimeoutException(
                $"camcube sim swarm did not end: {(output is null ? "" : await output)} {await error}"
            );
        }

        Assert.Equal(130, process.ExitCode);
        Assert.Matches("PARTIAL: ended early after [0-9]+ of 100000 runs", await output!);
        JsonNode file = JsonNode.Parse(await System.IO.File.ReadAllTextAsync(File))!;
        Assert.False(file["isComplete"]!.GetValue<bool>());
        Assert.Equal(100_000, file["planned"]!.GetValue<int>());
        Assert.NotEmpty(Runs(File));
    }

    private static JsonArray Runs(string file) => JsonNode.Parse(System.IO.File.ReadAllText(file))!["runs"]!.AsArray();

    private static string HashOf(string output) => output.Split("trace hash ")[1][..16];
}
