using System.Text.Json;
using CamCube.SystemTests.CommandLine;

namespace CamCube.SystemTests.Cables;

/// <summary>What servers keep for life, on real disks and real cables: a full disk, a map of another cube, and cables
/// that come and go while the first map is made.</summary>
[Collection(CablesGroup.Name)]
public sealed class StoredStateTests(ITestOutputHelper output)
{
    private const string Identity = "server",
        Map = "map";
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task A_full_disk_is_named_the_others_go_on_and_the_server_comes_when_there_is_room()
    {
        await using CableBed bed = await CableBed.StartAsync("1x1x3", "ethernet");
        await CubeChecks.WholeAsync(bed);
        await bed.DoAsync("kill", bed.Coordinate(2));

        // It has its identity, lost its map, and has no room for another one: one page, which the identity takes.
        string folder = bed.StateFolderOf(2);
        string identity = await File.ReadAllTextAsync(
            Path.Combine(folder, Identity),
            TestContext.Current.CancellationToken
        );
        await ProgramRun.Must("mount", "-t", "tmpfs", "-o", "size=4k", "camcube-full", folder);
        try
        {
            await File.WriteAllTextAsync(
                Path.Combine(folder, Identity),
                identity,
                TestContext.Current.CancellationToken
            );
            Task<string> start = bed.DoAsync("start", bed.Coordinate(2), "--timeout", "60s");
            JsonElement waiting = await bed.UntilAsync(
                "the full disk is named",
                () => CablingAsync(bed, 2),
                IsStateFault,
                Patience
            );
            output.WriteLine(Waiting(waiting));
            Assert.Contains("cannot be written", Waiting(waiting), StringComparison.Ordinal);
            Assert.False(File.Exists(Path.Combine(folder, Map)), "There is a map, though there was no room for one.");
            await CubeChecks.WholeAsync(bed, rank => rank != 2);

            await ProgramRun.Must("mount", "-o", "remount,size=1m", folder);
            await start;
            await CubeChecks.WholeAsync(bed);
            await CubeChecks.PlacesFitTheCablesAsync(bed);
            Assert.True(File.Exists(Path.Combine(folder, Map)), "The map was used and not written.");
            await CubeChecks.OneCacheAsync(bed);
        }
        finally
        {
            await ToolRun.Of("testbed", "kill", "--name", bed.Name, bed.Coordinate(2));
            await ProgramRun.Of("umount", "--lazy", folder);
        }
    }

    [Fact]
    public async Task A_disk_that_hangs_keeps_back_the_place_of_its_server_and_nothing_else()
    {
        await using CableBed bed = await CableBed.StartAsync("1x1x3", "ethernet");
        await CubeChecks.WholeAsync(bed);
        await bed.DoAsync("kill", bed.Coordinate(2));

        // Opening a pipe for writing lasts until somebody reads from it.
        string folder = bed.StateFolderOf(2),
            pipe = Path.Combine(folder, Map + ".new");
        File.Delete(Path.Combine(folder, Map));
        await ProgramRun.Must("mkfifo", pipe);
        Task<string> start = bed.DoAsync("start", bed.Coordinate(2), "--timeout", "60s");
        JsonElement waiting = await bed.UntilAsync(
            "the slow disk is named",
            () => CablingAsync(bed, 2),
            answer => IsStateFault(answer) && Waiting(answer).Contains("slow", StringComparison.Ordinal),
            Patience
        );
        output.WriteLine(Waiting(waiting));
        Assert.EndsWith("the disk is slow", Waiting(waiting), StringComparison.Ordinal);
        JsonElement health = await bed.GetAsync(2, "/health/ready");
        Assert.EndsWith("the disk is slow", health.GetProperty("reasons")[0].GetString(), StringComparison.Ordinal);

        // Its loop goes on: it sees its cable leave and come back, and the others go on hearing it.
        await ProgramRun.Must("ip", "-n", bed.NamespaceOf(2), "link", "set", "eth5", "down");
        await bed.UntilAsync(
            "it sees the cut",
            () => CablingAsync(bed, 2),
            answer => IsMissing(answer, "eth5"),
            Patience
        );
        await ProgramRun.Must("ip", "-n", bed.NamespaceOf(2), "link", "set", "eth5", "up");
        await bed.UntilAsync(
            "it sees that it is mended",
            () => CablingAsync(bed, 2),
            answer => !IsMissing(answer, "eth5"),
            Patience
        );
        await CubeChecks.WholeAsync(bed, rank => rank != 2);
        Assert.Contains("disk is slow", Waiting(await CablingAsync(bed, 2)), StringComparison.Ordinal);

        // It is done at last.
        await ProgramRun.Must("cat", pipe);
        await start;
        await CubeChecks.WholeAsync(bed);
        await CubeChecks.PlacesFitTheCablesAsync(bed);
    }

    [Fact]
    public async Task A_folder_that_cannot_be_used_ends_the_start_in_one_line()
    {
        await using CableBed bed = await CableBed.StartAsync("1x1x2", "ethernet");
        await CubeChecks.WholeAsync(bed);
        await bed.DoAsync("kill", bed.Coordinate(1));
        string folder = bed.StateFolderOf(1);
        using (
            new FileStream(Path.Combine(folder, "lock"), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None)
        )
        {
            await EndsAsync(bed, "another process uses the folder; every server needs its own.");
        }

        await ProgramRun.Must("mount", "--bind", folder, folder);
        try
        {
            await ProgramRun.Must("mount", "-o", "remount,ro,bind", folder);
            await EndsAsync(bed, "the folder cannot be written (the file system is read-only).");
        }
        finally
        {
            await ProgramRun.Of("umount", "--lazy", folder);
        }

        await bed.DoAsync("start", bed.Coordinate(1));
        await CubeChecks.WholeAsync(bed);
    }

    [Fact]
    public async Task Of_two_maps_that_meet_the_older_cube_goes_on_and_the_guest_refuses_and_says_so()
    {
        await using CableBed old = await CableBed.StartAsync("1x1x3", "ethernet", "--set", "ClusterId=two-maps");
        await CubeChecks.WholeAsync(old);
        await using (CableBed young = await CableBed.StartAsync("1x1x3", "ethernet", "--set", "ClusterId=two-maps"))
        {
            await CubeChecks.WholeAsync(young);
            await old.DoAsync("kill", old.Coordinate(2));
            foreach (string name in (string[])[Identity, Map])
            {
                File.Copy(
                    Path.Combine(young.StateFolderOf(2), name),
                    Path.Combine(old.StateFolderOf(2), name),
                    overwrite: true
                );
            }
        }

        Task<ToolRun> start = ToolRun.Of("testbed", "start", "--name", old.Name, old.Coordinate(2), "--timeout", "15s");
        JsonElement refusing = await old.UntilAsync(
            "the guest refuses",
            () => CablingAsync(old, 2),
            answer => answer.TryGetProperty("phase", out JsonElement phase) && phase.GetString() == "refusing",
            Patience
        );
        output.WriteLine(Waiting(refusing));
        Assert.Contains("is older, made 20", Waiting(refusing), StringComparison.Ordinal);

        // With a map it is ready at once, and it depends on the moment whether it has heard of the other one by then.
        // Nobody may be sent to it.
        await start;
        JsonElement health = await old.UntilAsync(
            "it is not ready",
            () => old.GetAsync(2, "/health/ready"),
            answer => answer.GetProperty("status").GetString() == "refusing",
            Patience
        );
        Assert.Contains("is older", health.GetProperty("reasons")[0].GetString(), StringComparison.Ordinal);
        await old.UntilAsync(
            "its neighbours name it",
            () => CablingAsync(old, 0),
            answer =>
                answer.GetProperty("faults").EnumerateArray().Any(f => f.GetProperty("kind").GetString() == "otherMap"),
            Patience
        );
        await CubeChecks.WholeAsync(old, rank => rank != 2);
    }

    [Fact]
    public async Task Cables_that_come_and_go_while_places_are_found_delay_them_and_nothing_else()
    {
        RequireAll.Testbed();
        var bed = CableBed.Named("1x1x4");
        Task<CableBed> up = CableBed.StartAsync(bed, "ethernet");
        try
        {
            await bed.UntilAsync(
                "the first servers run",
                () => Task.FromResult(File.Exists(Path.Combine(bed.StateFolderOf(3), "lock"))),
                isThere => isThere,
                Patience
            );
            int changes = 0;
            for (; changes < 60 && !up.IsCompleted; changes++)
            {
                // Two cables of different servers, out of step.
                await ProgramRun.Must(
                    "ip",
                    "-n",
                    bed.NamespaceOf(changes % 3),
                    "link",
                    "set",
                    "eth5",
                    changes / 3 % 2 == 0 ? "down" : "up"
                );
                await Task.Delay(11 * (changes % 7));
            }

            for (int rank = 0; rank < 3; rank++)
            {
                await ProgramRun.Must("ip", "-n", bed.NamespaceOf(rank), "link", "set", "eth5", "up");
            }

            await up;
            output.WriteLine($"{changes} changes; ready after {bed.Up.GetProperty("seconds").GetDouble()} s");
            Assert.True(changes > 3, "The servers had their places before the cables could flap.");
            await CubeChecks.WholeAsync(bed);
            await CubeChecks.PlacesFitTheCablesAsync(bed);
            await CubeChecks.OneCacheAsync(bed);
        }
        finally
        {
            await Task.WhenAny(up);
            await bed.DisposeAsync();
        }
    }

    private static Task<JsonElement> CablingAsync(CableBed bed, int rank) => bed.TryGetAsync(rank, "/api/cabling");

    private async Task EndsAsync(CableBed bed, string expected)
    {
        ToolRun start = await ToolRun.Of("testbed", "start", "--name", bed.Name, bed.Coordinate(1), "--timeout", "60s");
        output.WriteLine(start.Error);
        Assert.Equal(1, start.ExitCode);
        Assert.Contains(expected, start.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("Exception", start.Error, StringComparison.Ordinal);
    }

    private static bool IsMissing(JsonElement cabling, string port) =>
        cabling.TryGetProperty("faults", out JsonElement faults)
        && faults
            .EnumerateArray()
            .Any(f => f.GetProperty("kind").GetString() == "missing" && f.GetProperty("port").GetString() == port);

    private static bool IsStateFault(JsonElement cabling) =>
        cabling.TryGetProperty("faults", out JsonElement faults)
        && faults.EnumerateArray().Any(fault => fault.GetProperty("kind").GetString() == "state");

    private static string Waiting(JsonElement cabling) =>
        cabling.TryGetProperty("waiting", out JsonElement waiting) ? waiting.GetString() ?? "" : "";
}
