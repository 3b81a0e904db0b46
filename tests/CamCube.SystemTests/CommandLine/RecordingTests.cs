using System.Text.Json;

namespace CamCube.SystemTests.CommandLine;

/// <summary>--capture, --timeline and --trace-packet of experiments.</summary>
public sealed class RecordingTests : IDisposable
{
    private static readonly string[] Short = ["sim", "all-to-all", "--warmup", "1ms", "--duration", "1ms"];
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-recording-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task A_recorded_run_is_the_same_run_and_its_files_are_the_same_each_time()
    {
        string[] all =
        [
            "--capture",
            File("a.pcapng"),
            "--link",
            "0,0,0:+x",
            "--link",
            "13:mz",
            "--timeline",
            File("a.json"),
            "--trace-packet",
            "100",
        ];
        ToolRun run = await ToolRun.Of([.. Short, .. all, "--json"]);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        JsonElement result = JsonSerializer.Deserialize<JsonElement>(run.Output);
        JsonElement plain = JsonSerializer.Deserialize<JsonElement>((await ToolRun.Of([.. Short, "--json"])).Output);
        Assert.Equal(plain.GetProperty("traceHash").GetString(), result.GetProperty("traceHash").GetString());

        JsonElement[] steps = [.. result.GetProperty("packetTrace").EnumerateArray()];
        Assert.Equal("sent", steps[0].GetProperty("event").GetString());
        Assert.Contains(steps, step => step.GetProperty("event").GetString() == "delivered");
        Assert.False(plain.TryGetProperty("packetTrace", out _));

        byte[] capture = await Bytes("a.pcapng"),
            timeline = await Bytes("a.json");
        Assert.True(JsonDocument.Parse(timeline).RootElement.GetProperty("traceEvents").GetArrayLength() > 1_000);
        Assert.True(capture.Length > 1_000);
        Assert.Equal(0, (await ToolRun.Of([.. Short, .. all])).ExitCode);
        Assert.Equal(capture, await Bytes("a.pcapng"));
        Assert.Equal(timeline, await Bytes("a.json"));
    }

    [Fact]
    public async Task For_people_the_files_and_the_packets_way_stand_below_the_table()
    {
        ToolRun run = await ToolRun.Of([
            .. Short,
            "--capture",
            File("b.pcapng"),
            "--capture-frames",
            "50",
            "--timeline",
            File("b.json"),
            "--timeline-events",
            "60",
            "--trace-packet",
            "1,1,1:3",
        ]);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Matches(@"b\.pcapng: 50 frames of 162 links, cut off at \d+\.\d{6} ms\n", run.Output);
        Assert.Matches(@"b\.json: 60 events, cut off at \d+\.\d{6} ms\n", run.Output);
        Assert.Matches(
            @"\n +\d+\.\d{6} ms  1,1,1     sent by all-to-all to \d,\d,\d: 9,014 bytes, \d+ hops left\n",
            run.Output
        );
        Assert.Matches(@"verdict Consume\n$", run.Output);
        Assert.All(run.Output, c => Assert.InRange(c, '\n', '~'));
    }

    [Fact]
    public async Task A_swarm_run_is_recorded_alone_drawn_or_from_its_file_and_stays_the_same()
    {
        string[] canary =
        [
            "sim",
            "swarm",
            "--seed",
            "4",
            "--shape",
            "3x3x3",
            "--services",
            "canary",
            "--faults",
            "crash",
        ];
        ToolRun plain = await ToolRun.Of([.. canary, "--json", "--out", _folder]);
        string[] recorded =
        [
            "--capture",
            File("s.pcapng"),
            "--link",
            "13:mz",
            "--timeline",
            File("s.json"),
            "--trace-packet",
            "20",
        ];
        ToolRun run = await ToolRun.Of([.. canary, "--json", .. recorded, "--timeline-events", "1000"]);
        Assert.Equal(1, run.ExitCode);
        Assert.Matches(@"^camcube: .*s\.json is not whole, cut off at \d+\.\d{6} ms\n$", run.Error);
        JsonElement result = JsonSerializer.Deserialize<JsonElement>(run.Output);
        JsonElement[] steps = [.. result.GetProperty("packetTrace").EnumerateArray()];
        Assert.Equal("sent", steps[0].GetProperty("event").GetString());
        Assert.Equal(
            plain.Output,
            run.Output.Replace($",\"packetTrace\":{result.GetProperty("packetTrace").GetRawText()}", "")
        );
        Assert.True((await Bytes("s.pcapng")).Length > 10_000);
        Assert.True(
            JsonDocument.Parse(await Bytes("s.json")).RootElement.GetProperty("traceEvents").GetArrayLength() > 1_000
        );

        ToolRun again = await ToolRun.Of("sim", "swarm", "--replay", File("swarm.json"), "--trace-packet", "20");
        Assert.Contains($"\ntrace hash of all runs ", again.Output, StringComparison.Ordinal);
        Assert.Contains(result.GetProperty("traceHash").GetString()!, again.Output, StringComparison.Ordinal);
        Assert.Matches(@"\n +\d+\.\d{6} ms  \d,\d,\d     sent by ", again.Output);
    }

    [Theory]
    [InlineData(
        2,
        "--timeline x",
        "--capture, --timeline and --trace-packet show one run, and these are 24; choose one with --seed."
    )]
    [InlineData(2, "--seeds 1..2 --trace-packet 3", "and these are 2; choose one with --seed.")]
    [InlineData(
        2,
        "--seed 1 --shape 3x3x3 --capture x --link 9,9,9:+x",
        "--link '9,9,9' lies outside of 3x3x3; there are 0,0,0 to 2,2,2"
    )]
    [InlineData(2, "--seed 1 --capture nowhere/x", "--capture nowhere/x cannot be written")]
    public async Task What_cannot_be_recorded_of_swarm_runs_is_one_line(int exitCode, string options, string says)
    {
        ToolRun run = await ToolRun.In(_folder, ["sim", "swarm", .. options.Split(' ')]);
        Assert.Equal(exitCode, run.ExitCode);
        Assert.Contains(says, run.OnlyErrorLine(), StringComparison.Ordinal);
        Assert.False(System.IO.File.Exists(File("x")));
    }

    [Theory]
    [InlineData(2, "--link 0,0,0:+x", "--link names links for --capture FILE")]
    [InlineData(2, "--capture x --link 0,0,0", "--link '0,0,0' must be a server and a direction")]
    [InlineData(2, "--capture x --link 0,0,0:+q", "--link '0,0,0:+q' must be a server and a direction")]
    [InlineData(2, "--capture x --link 9,9,9:+x", "--link '9,9,9' lies outside of 3x3x3; there are 0,0,0 to 2,2,2")]
    [InlineData(
        2,
        "--shape 3x1x1 --capture x --link 0:+y",
        "--link 0:+y: that server has no cable there in a cube of 3x1x1"
    )]
    [InlineData(2, "--capture x --capture-frames 0", "--capture-frames '0' must be a whole number")]
    [InlineData(2, "--capture-frames 5", "--capture-frames goes with --capture FILE")]
    [InlineData(2, "--timeline-events 5", "--timeline-events goes with --timeline FILE")]
    [InlineData(2, "--capture nowhere/x", "--capture nowhere/x cannot be written")]
    [InlineData(2, "--timeline .", "--timeline . cannot be written")]
    [InlineData(2, "--record-from 5", "--record-from '5' must be a time with its unit")]
    [InlineData(2, "--trace-packet 0", "--trace-packet '0' must be the number of a packet")]
    [InlineData(2, "--trace-packet one", "--trace-packet 'one' must be the number of a packet")]
    [InlineData(2, "--trace-packet 27:1", "--trace-packet '27' lies outside of 3x3x3; there are 0,0,0 to 2,2,2")]
    [InlineData(1, "--trace-packet 1000000", "--trace-packet: there is no packet 1,000,000; services send ")]
    [InlineData(1, "--trace-packet 0,0,0:1000000", "--trace-packet: there is no packet 1,000,000; services send ")]
    public async Task What_cannot_be_recorded_is_one_line(int exitCode, string options, string says)
    {
        ToolRun run = await ToolRun.In(_folder, [.. Short, .. options.Split(' ')]);
        Assert.Equal(exitCode, run.ExitCode);
        Assert.Contains(says, run.OnlyErrorLine(), StringComparison.Ordinal);
    }

    private string File(string name) => Path.Combine(_folder, name);

    private Task<byte[]> Bytes(string name) => System.IO.File.ReadAllBytesAsync(File(name));
}
