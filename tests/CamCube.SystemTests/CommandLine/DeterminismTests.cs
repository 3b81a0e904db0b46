using System.Text.Json;

namespace CamCube.SystemTests.CommandLine;

/// <summary>Equal seeds give equal runs in separate processes, and the check finds it when they do not.</summary>
public sealed class DeterminismTests
{
    [Fact]
    public async Task Seeds_give_the_same_run_in_every_process_with_logging_and_on_two_threads()
    {
        ToolRun run = await ToolRun.Of("sim", "determinism", "--seeds", "1..2", "--duration", "12ms", "--json");
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        JsonElement result = JsonDocument.Parse(run.Output).RootElement;
        Assert.True(result.GetProperty("equal").GetBoolean());
        JsonElement[] seeds = [.. result.GetProperty("seeds").EnumerateArray()];
        Assert.Equal([1, 2], seeds.Select(seed => seed.GetProperty("seed").GetInt32()));
        Assert.Equal(2, seeds.Select(seed => seed.GetProperty("hash").GetString()).Distinct().Count());
        foreach (JsonElement seed in seeds)
        {
            string?[] hashes =
            [
                .. seed.GetProperty("runs").EnumerateArray().Select(one => one.GetProperty("hash").GetString()),
            ];
            Assert.Equal(4, hashes.Length);
            Assert.Single(hashes.Distinct());
            Assert.Matches("^[0-9a-f]{16}$", hashes[0]);
            Assert.Equal(50, seed.GetProperty("checkpoints").GetInt32());

            // The scenarios do something.
            Assert.True(seed.GetProperty("packetHops").GetInt64() > 1_000);
            Assert.True(seed.GetProperty("lost").GetInt64() > 0);
            Assert.Contains("Done", seed.GetProperty("operations").GetString(), StringComparison.Ordinal);
            Assert.Equal(JsonValueKind.Null, seed.GetProperty("difference").ValueKind);
        }
    }

    [Fact]
    public async Task What_differs_between_processes_is_found_with_its_checkpoint_and_event()
    {
        string[] command =
        [
            "sim",
            "determinism",
            "--seeds",
            "5",
            "--shape",
            "3x2x1",
            "--duration",
            "10ms",
            "--threads",
            "1",
            "--plant",
            "5ms",
        ];
        ToolRun run = await ToolRun.Of([.. command, "--json"]);
        Assert.Equal((1, ""), (run.ExitCode, run.Error));
        JsonElement seed = JsonDocument.Parse(run.Output).RootElement.GetProperty("seeds")[0];
        Assert.False(seed.GetProperty("equal").GetBoolean());
        JsonElement difference = seed.GetProperty("difference");
        Assert.Equal(
            ["1 thread", "1 thread again"],
            difference.GetProperty("variants").EnumerateArray().Select(name => name.GetString())
        );

        // Every 200 µs: the 26th is the first that can differ. A pause may hold the service up, and its clock may be a
        // little wrong.
        Assert.InRange(difference.GetProperty("checkpoint").GetInt32(), 23, 40);
        long from = difference.GetProperty("fromNanos").GetInt64();
        Assert.Equal(from + 200_000, difference.GetProperty("atNanos").GetInt64());
        JsonElement first = difference.GetProperty("first"),
            second = difference.GetProperty("second");
        foreach (JsonElement e in (JsonElement[])[first, second])
        {
            Assert.InRange(e.GetProperty("atNanos").GetInt64(), from, from + 200_000);
            Assert.Equal("0,1,0", e.GetProperty("server").GetString());
            Assert.Equal("0x7107", e.GetProperty("service").GetString());
        }

        foreach (string same in (string[])["atNanos", "sequence", "kind", "packet", "destination"])
        {
            Assert.Equal(first.GetProperty(same).GetRawText(), second.GetProperty(same).GetRawText());
        }

        // Only what the service wrote into the header is not the same.
        Assert.Contains(first.GetProperty("kind").GetString(), (string[])["transmit", "local"]);
        Assert.NotEqual(first.GetProperty("number").GetString(), second.GetProperty("number").GetString());
        Assert.NotEqual(first.GetProperty("hash").GetString(), second.GetProperty("hash").GetString());
    }

    [Fact]
    public async Task For_people_it_is_a_line_per_seed_and_where_runs_parted()
    {
        ToolRun run = await ToolRun.Of(
            "sim",
            "determinism",
            "--seeds",
            "5..5",
            "--shape",
            "3x1x1",
            "--duration",
            "2ms",
            "--threads",
            "1",
            "--plant",
            "1ms"
        );
        Assert.Equal((1, ""), (run.ExitCode, run.Error));
        string[] lines = run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(7, lines.Length);
        Assert.Equal(lines[0].Length, lines[1].Length);
        Assert.EndsWith("NO", lines[1], StringComparison.Ordinal);
        Assert.Contains("differ first at checkpoint", lines[2], StringComparison.Ordinal);
        Assert.Contains("1,0,0", lines[3], StringComparison.Ordinal);
        Assert.All(
            lines[5..],
            line => Assert.Matches(@"1 thread.* ms server 1,0,0 event \d+ \w+ service 0x7107 packet", line)
        );
    }

    [Theory]
    [InlineData("--seeds", "4..1", "is empty: the first seed is larger than the last")]
    [InlineData("--seeds", "-1", "must be a seed or a range")]
    [InlineData("--threads", "0,1", "must be numbers from 1 to 64")]
    [InlineData("--threads", "", "must be numbers from 1 to 64")]
    [InlineData("--shape", "1x1x1", "2 to 512 servers")]
    [InlineData("--duration", "1us", "must be a time with its unit")]
    [InlineData("--plant", "1", "must be a time with its unit")]
    public async Task A_wrong_setting_is_one_line_that_names_it_and_what_is_right(
        string option,
        string value,
        string says
    )
    {
        ToolRun run = await ToolRun.Of("sim", "determinism", option, value);
        Assert.Equal(2, run.ExitCode);
        string line = run.OnlyErrorLine();
        Assert.Contains(option, line, StringComparison.Ordinal);
        Assert.Contains(says, line, StringComparison.Ordinal);
    }
}
