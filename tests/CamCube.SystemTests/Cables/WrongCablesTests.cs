using System.Text.Json;
using CamCube.SystemTests.CommandLine;

namespace CamCube.SystemTests.Cables;

/// <summary>Cables that are plugged in wrongly are named in words, and the cube works on with the right ones.</summary>
[Collection(CablesGroup.Name)]
public sealed class WrongCablesTests(ITestOutputHelper output)
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(40);

    [Fact]
    public async Task Swapped_missing_and_looped_cables_are_named_and_gone_when_mended()
    {
        await using CableBed bed = await CableBed.StartAsync("3x3x1", "ethernet", "--fixed-places");
        int right = bed.Step(0, 0, 1),
            up = bed.Step(0, 1, 1);
        await FaultsAsync(bed, texts => texts.Count == 0);

        // The cables of 0,0,0 to +x and +y are swapped at its end: interfaces vanish and come back.
        await bed.PlugAsync(0, "eth1", up, "eth4");
        await bed.PlugAsync(0, "eth3", right, "eth2");
        List<Fault> swapped = await FaultsAsync(
            bed,
            faults =>
                faults.Any(f => f.Is("wrongCable", "0,0,0", "eth1"))
                && faults.Any(f => f.Is("wrongCable", "0,0,0", "eth3"))
        );
        Assert.Contains(
            swapped,
            f =>
                f.Is("wrongCable", "0,0,0", "eth1")
                && f.Text.Contains("0,1,0", StringComparison.Ordinal)
                && f.Text.Contains("1,0,0", StringComparison.Ordinal)
        );
        Assert.All(swapped, f => Assert.All(f.Text, c => Assert.InRange(c, ' ', '~')));
        await CubeChecks.OneCacheAsync(bed);

        // Set right again.
        await bed.PlugAsync(0, "eth1", right, "eth2");
        await bed.PlugAsync(0, "eth3", up, "eth4");
        await FaultsAsync(bed, faults => faults.Count == 0);
        await CubeChecks.WholeAsync(bed);

        // Pulled.
        await bed.DoAsync("cut", "1,1,0:+x");
        await FaultsAsync(
            bed,
            faults => faults.Any(f => f.Is("missing", "1,1,0", "eth1") || f.Is("missing", "2,1,0", "eth2"))
        );
        ToolRun inside = await ToolRun.Of(
            "testbed",
            "exec",
            "--name",
            bed.Name,
            "0,0,0",
            "--",
            "dotnet",
            BuiltPrograms.Find("camcube"),
            "cabling"
        );
        Assert.Equal(1, inside.ExitCode);
        output.WriteLine(inside.Output);
        await bed.DoAsync("mend");
        await FaultsAsync(bed, faults => faults.Count == 0);

        // A cable from a server to itself.
        await bed.PlugAsync(0, "eth1", 0, "eth3");
        await FaultsAsync(
            bed,
            faults => faults.Any(f => f.Is("loop", "0,0,0", "eth1") || f.Is("loop", "0,0,0", "eth3"))
        );
        await CubeChecks.OneCacheAsync(bed);
    }

    // Asked at a server that is not concerned: it has heard of it through the cube.
    private async Task<List<Fault>> FaultsAsync(CableBed bed, Predicate<List<Fault>> areRight)
    {
        List<Fault> faults = await bed.UntilAsync(
            "the faults are named",
            () => FaultsOnceAsync(bed),
            found => areRight(found),
            Patience
        );
        faults.ForEach(f => output.WriteLine(f.Text));
        output.WriteLine("");
        return faults;
    }

    private static async Task<List<Fault>> FaultsOnceAsync(CableBed bed)
    {
        ToolRun run = await ToolRun.Of(
            "testbed",
            "exec",
            "--name",
            bed.Name,
            "2,2,0",
            "--",
            "dotnet",
            BuiltPrograms.Find("camcube"),
            "cabling",
            "--json"
        );
        Assert.InRange(run.ExitCode, 0, 1);
        JsonElement cabling = JsonDocument.Parse(run.Output).RootElement;
        return
        [
            .. cabling
                .GetProperty("faults")
                .EnumerateArray()
                .Select(f => new Fault(
                    f.GetProperty("kind").GetString()!,
                    f.GetProperty("coordinate").GetString() ?? "",
                    f.GetProperty("port").GetString() ?? "",
                    f.GetProperty("text").GetString()!
                )),
        ];
    }

    private sealed record Fault(string Kind, string Coordinate, string Port, string Text)
    {
        public bool Is(string kind, string coordinate, string port) =>
            (Kind, Coordinate, Port) == (kind, coordinate, port);
    }
}
