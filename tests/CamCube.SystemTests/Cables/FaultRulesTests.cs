using System.Text.Json;
using CamCube.SystemTests.CommandLine;

namespace CamCube.SystemTests.Cables;

/// <summary>Fault rules by command, on servers that run and on cables that are cables.</summary>
[Collection(CablesGroup.Name)]
public sealed class FaultRulesTests(ITestOutputHelper output)
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task A_cable_that_loses_all_one_way_is_down_and_comes_back_when_the_rule_ends()
    {
        await using CableBed bed = await CableBed.StartAsync("3x1x1", "ethernet", "--set", "AllowControl=true");
        await CubeChecks.WholeAsync(bed);
        await bed.DoAsync("fault", "add", "loss", "--probability", "1", "--at", "0,0,0:+x", "--way", "out");
        await bed.UntilAsync(
            "the cable is down at both ends",
            () => StatesAsync(bed),
            states => states == "down down",
            Patience
        );
        await CubeChecks.OneCacheAsync(bed);
        JsonElement all = JsonDocument.Parse(await bed.DoAsync("fault", "list", "--json")).RootElement;
        Assert.Equal([1, 0, 0], all.EnumerateArray().Select(server => server.GetProperty("rules").GetArrayLength()));
        Assert.True(all[0].GetProperty("counts").GetProperty("lost").GetInt64() > 0, $"{all[0]}");

        await bed.DoAsync("fault", "clear");
        await CubeChecks.WholeAsync(bed);

        // Slow cables, and packets that come twice and in another order: the cache is the same.
        await bed.DoAsync("fault", "add", "delay", "--time", "1ms", "--jitter", "1ms");
        await bed.DoAsync("fault", "add", "duplication", "--probability", "0.2");
        await bed.DoAsync("fault", "add", "reordering", "--probability", "0.2", "--time", "2ms");
        await bed.DoAsync("fault", "add", "rate", "--rate", "50mbit", "--at", "1,0,0");
        await CubeChecks.OneCacheAsync(bed);
        Assert.Contains("duplicated", await bed.DoAsync("fault", "clear"), StringComparison.Ordinal);
        await CubeChecks.WholeAsync(bed);
        await CubeChecks.OneCacheAsync(bed);
    }

    [Fact]
    public async Task Clients_of_a_cube_with_a_cable_that_loses_every_fifth_packet_get_right_answers()
    {
        await using CableBed bed = await CableBed.StartAsync("3x1x1", "ethernet", "--set", "AllowControl=true");
        await CubeChecks.WholeAsync(bed);
        long lost = 0;
        int done = await CubeChecks.UnderLoadAsync(
            bed,
            6,
            [0, 1, 2],
            async () =>
            {
                await bed.DoAsync("fault", "add", "loss", "--probability", "0.2", "--at", "0,0,0:+x");
                await bed.UntilAsync(
                    "packets are lost",
                    async () => lost = await LostAsync(bed),
                    count => count >= 200,
                    Patience
                );
                await bed.DoAsync("fault", "clear");
            }
        );
        output.WriteLine($"{done} operations, {lost} packets lost");
        await CubeChecks.WholeAsync(bed);
        await CubeChecks.OneCacheAsync(bed);
    }

    [Fact]
    public async Task Rules_of_the_settings_are_in_force_on_real_cables_from_the_start()
    {
        await using CableBed bed = await CableBed.StartAsync(
            "3x1x1",
            "ethernet",
            "--set",
            "AllowControl=true",
            "--set",
            "Faults=delay time=1ms; loss probability=0.02 at=self:+x"
        );
        await CubeChecks.WholeAsync(bed);
        JsonElement all = JsonDocument.Parse(await bed.DoAsync("fault", "list", "--json")).RootElement;
        Assert.Equal([2, 2, 2], all.EnumerateArray().Select(server => server.GetProperty("rules").GetArrayLength()));
        Assert.All(
            all.EnumerateArray(),
            server => Assert.True(server.GetProperty("counts").GetProperty("delayed").GetInt64() > 0, $"{server}")
        );
        await CubeChecks.OneCacheAsync(bed);
        await bed.DoAsync("fault", "clear");
        await CubeChecks.WholeAsync(bed);
    }

    [Fact]
    public async Task Servers_that_may_not_be_controlled_refuse()
    {
        await using CableBed bed = await CableBed.StartAsync("3x1x1", "ethernet");
        ToolRun run = await ToolRun.Of("testbed", "fault", "add", "cut", "--name", bed.Name, "--at", "0,0,0:+x");
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("CamCube:AllowControl=true", run.OnlyErrorLine(), StringComparison.Ordinal);
        await CubeChecks.WholeAsync(bed);
    }

    private static async Task<long> LostAsync(CableBed bed) =>
        JsonDocument
            .Parse(await bed.DoAsync("fault", "list", "--json"))
            .RootElement.EnumerateArray()
            .Sum(server =>
                server.GetProperty("counts").TryGetProperty("lost", out JsonElement count) ? count.GetInt64() : 0
            );

    private static async Task<string> StatesAsync(CableBed bed) =>
        $"{await StateAsync(bed, 0, "+x")} {await StateAsync(bed, 1, "-x")}";

    private static async Task<string?> StateAsync(CableBed bed, int rank, string link) =>
        (await bed.ServerAsync(rank))
            .GetProperty("links")
            .EnumerateArray()
            .First(l => l.GetProperty("link").GetString() == link)
            .GetProperty("state")
            .GetString();
}
