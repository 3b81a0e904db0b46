using System.Text.Json;

namespace CamCube.SystemTests.CommandLine;

public sealed class SimTests
{
    private static readonly string[] OfTheMachine = ["cpuSeconds", "packetHopsPerCpuSecond"];

    [Fact]
    public async Task All_to_all_prints_the_promised_numbers_twice_the_same()
    {
        string[] command = ["sim", "all-to-all", "--shape", "3x3x3", "--seed", "1", "--json"];
        Dictionary<string, JsonElement> first = Numbers(await ToolRun.Of(command));
        Dictionary<string, JsonElement> second = Numbers(await ToolRun.Of(command));

        Assert.Equal(
            [
                "shape",
                "seed",
                "servers",
                "threads",
                "offeredGbps",
                "deliveredGbpsPerServer",
                "boundGbps",
                "packetHops",
                "cpuSeconds",
                "packetHopsPerCpuSecond",
                "droppedPackets",
                "traceHash",
            ],
            first.Keys
        );
        Assert.Equal([3, 3, 3], first["shape"].EnumerateArray().Select(size => size.GetInt32()));
        Assert.Equal(27, first["servers"].GetInt32());
        Assert.Equal(6 / (54.0 / 26), first["boundGbps"].GetDouble(), 9);
        Assert.Equal(first["boundGbps"].GetDouble(), first["offeredGbps"].GetDouble());
        Assert.InRange(first["deliveredGbpsPerServer"].GetDouble() / first["boundGbps"].GetDouble(), 0.95, 1.001);
        Assert.Matches("^[0-9a-f]{16}$", first["traceHash"].GetString());
        foreach ((string key, JsonElement value) in first.Where(pair => !OfTheMachine.Contains(pair.Key)))
        {
            Assert.Equal(value.GetRawText(), second[key].GetRawText());
        }
    }

    [Fact]
    public async Task All_to_all_for_people_is_an_ASCII_table_on_standard_output_alone()
    {
        ToolRun run = await ToolRun.Of("sim", "all-to-all", "--shape", "2x1x1", "--duration", "1ms", "--load", "0.5");
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Contains("delivered", run.Output, StringComparison.Ordinal);
        Assert.All(run.Output, c => Assert.InRange(c, '\n', '~'));
        Assert.All(run.Output.Split('\n'), line => Assert.InRange(line.Length, 0, 120));
    }

    [Theory]
    [InlineData("--shape", "0x3x3", "each axis size must be from 1 to 65535")]
    [InlineData("--shape", "3x3", "three axis sizes are needed")]
    [InlineData("--shape", "70000x1x1", "each axis size must be from 1 to 65535")]
    [InlineData("--shape", "300x300x300", "at most 65536 servers")]
    [InlineData("--shape", "axbxc", "'a' is not an axis size")]
    [InlineData("--shape", "1x1x1", "at least two servers")]
    [InlineData("--seed", "-1", "must be a whole number")]
    [InlineData("--load", "0", "must be a number from 0.001 to 10")]
    [InlineData("--warmup", "20", "must be a time with its unit")]
    [InlineData("--duration", "0ms", "must be a time with its unit")]
    [InlineData("--frame", "41", "must be a whole number from 42 to 9,014")]
    [InlineData("--rate", "1", "must be a rate")]
    [InlineData("--parallel-cables", "maybe", "must be true or false")]
    public async Task A_wrong_setting_is_one_line_that_names_it_and_what_is_right(
        string option,
        string value,
        string says
    )
    {
        ToolRun run = await ToolRun.Of("sim", "all-to-all", option, value, "--json");
        Assert.Equal(2, run.ExitCode);
        string line = run.OnlyErrorLine();
        Assert.Contains(option, line, StringComparison.Ordinal);
        Assert.Contains(value, line, StringComparison.Ordinal);
        Assert.Contains(says, line, StringComparison.Ordinal);
    }

    private static Dictionary<string, JsonElement> Numbers(ToolRun run)
    {
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Single(run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        return JsonSerializer.Deserialize<Dictionary<string, JsonElement>>(run.Output)!;
    }
}
