using System.Globalization;
using System.Text.Json;
using CamCube.SystemTests.Hosts;
using CamCube.Testbed;

namespace CamCube.SystemTests.Cables;

/// <summary>27 processes on 81 cables, through everything that may happen to them. One testbed for all tests of a
/// shim.</summary>
public abstract class CubeOfCables(CubeOfCables.Bed fixture, ITestOutputHelper output)
{
    private static readonly TimeSpan Detection = TimeSpan.FromSeconds(1);

    /// <summary>In virtual time this is asserted; here it is printed, and five times as much is a failure.</summary>
    private static readonly TimeSpan Goal = Detection + TimeSpan.FromSeconds(1);

    private const int Killed = 26;

    private static readonly int[] Used = [.. Enumerable.Range(0, 18)];

    [Fact]
    public async Task Servers_find_their_places_from_the_cables_alone()
    {
        CableBed bed = await fixture.GetAsync();
        await CubeChecks.WholeAsync(bed);
        await CubeChecks.PlacesFitTheCablesAsync(bed);
        output.WriteLine($"27 servers ready after {bed.Up.GetProperty("seconds").GetDouble()} s");
    }

    [Fact]
    public async Task All_servers_are_one_cache_for_clients_that_nobody_here_wrote()
    {
        RequireAll.Program("memccp");
        RequireAll.Program("nc");
        CableBed bed = await fixture.GetAsync();
        await CubeChecks.WholeAsync(bed);
        await CubeChecks.OneCacheAsync(bed);
        string folder = Directory.CreateTempSubdirectory("camcube-cables-").FullName;
        try
        {
            string file = Path.Combine(folder, "blob"),
                back = Path.Combine(folder, "back");
            byte[] blob = new byte[200_000];
            new Random(1).NextBytes(blob);
            await File.WriteAllBytesAsync(file, blob, TestContext.Current.CancellationToken);
            await bed.InsideAsync(0, "memccp", "--servers=127.0.0.1", file);
            for (int rank = 1; rank < bed.Count; rank += 5)
            {
                await bed.InsideAsync(rank, "memccat", "--servers=127.0.0.1", $"--file={back}", "blob");
                Assert.Equal(blob, await File.ReadAllBytesAsync(back, TestContext.Current.CancellationToken));
                Assert.Contains("curr_items", await bed.InsideAsync(rank, "memcstat", "--servers=127.0.0.1"));
            }

            string said = await bed.InsideAsync(
                13,
                "sh",
                "-c",
                @"printf 'set by-nc 0 0 2\r\nhi\r\nget by-nc\r\nquit\r\n' | nc -w 5 127.0.0.1 11211"
            );
            Assert.Equal("STORED\r\nVALUE by-nc 0 2\r\nhi\r\nEND\r\n", said);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task A_server_is_killed_under_load_and_returns_and_gets_its_keys_back()
    {
        CableBed bed = await fixture.GetAsync();
        await CubeChecks.WholeAsync(bed);
        Recovery without = default,
            with = default;
        int done = await CubeChecks.UnderLoadAsync(
            bed,
            6,
            Used,
            async () =>
            {
                await Task.Delay(500);
                await bed.DoAsync("kill", bed.Coordinate(Killed));
                without = await CubeChecks.RecoveryAsync(bed, 0, 5 * Goal);
                await CubeChecks.WholeAsync(bed, rank => rank != Killed);
                await bed.DoAsync("start", bed.Coordinate(Killed));
                with = await CubeChecks.RecoveryAsync(bed, Killed, 5 * Goal);
            }
        );
        await CubeChecks.WholeAsync(bed);
        await bed.UntilAsync(
            "it has its keys",
            () => bed.ServerAsync(Killed),
            server => server.GetProperty("state").GetString() == "running",
            5 * Goal
        );
        Assert.True(await ItemsAsync(bed, Killed) > 0, "no key came back");
        output.WriteLine(
            $"{done} operations; all keys usable {without} after the kill, and {with} after the return; "
                + $"goal {Seconds(Goal)} s"
        );
    }

    [Theory]
    [InlineData]
    [InlineData("--one-way")]
    [InlineData("--silent")]
    public async Task A_cable_is_cut_and_mended_under_load(params string[] how)
    {
        CableBed bed = await fixture.GetAsync();
        await CubeChecks.WholeAsync(bed);
        Recovery recovery = default;
        int done = await CubeChecks.UnderLoadAsync(
            bed,
            6,
            Used,
            async () =>
            {
                await Task.Delay(300);
                await bed.DoAsync("cut", ["0,0,0:+x", .. how]);
                recovery = await CubeChecks.RecoveryAsync(bed, 0, 5 * Goal);
                await bed.UntilAsync(
                    "the link is down",
                    () => LinkAsync(bed, 1, "-x"),
                    state => state == "down",
                    5 * Goal
                );
                await bed.DoAsync("mend", "0,0,0:+x");
                await bed.UntilAsync(
                    "the link is up",
                    () => LinkAsync(bed, 1, "-x"),
                    state => state == "up",
                    10 * Goal
                );
            }
        );
        await CubeChecks.WholeAsync(bed);
        output.WriteLine(
            $"{done} operations; all keys usable {recovery} after the cut {string.Join(' ', how)}; "
                + $"goal {Seconds(Goal)} s"
        );
    }

    [Fact]
    public async Task A_cable_flaps_under_load()
    {
        CableBed bed = await fixture.GetAsync();
        await CubeChecks.WholeAsync(bed);
        Recovery recovery = default;
        int done = await CubeChecks.UnderLoadAsync(
            bed,
            6,
            Used,
            async () =>
            {
                for (int i = 0; i < 10; i++)
                {
                    await ProgramRun.Must(
                        "ip",
                        "-n",
                        bed.NamespaceOf(0),
                        "link",
                        "set",
                        "eth1",
                        i % 2 == 0 ? "down" : "up"
                    );
                    await Task.Delay(37 * i);
                }

                recovery = await CubeChecks.RecoveryAsync(bed, 0, 5 * Goal);
            }
        );
        await CubeChecks.WholeAsync(bed);
        output.WriteLine(
            $"{done} operations; all keys usable {recovery} after the last change; goal {Seconds(Goal)} s"
        );
    }

    /// <summary>As long as <c>CAMCUBE_SOAK_SECONDS</c> says, 8 s without it.</summary>
    [Fact]
    public async Task At_full_load_nothing_leaks()
    {
        CableBed bed = await fixture.GetAsync();
        await CubeChecks.WholeAsync(bed);
        string? asked = Environment.GetEnvironmentVariable("CAMCUBE_SOAK_SECONDS");
        double seconds = asked is null ? 8 : double.Parse(asked, CultureInfo.InvariantCulture);
        long middle = 0,
            end = 0;
        int done = await CubeChecks.UnderLoadAsync(
            bed,
            27,
            [.. Enumerable.Range(0, bed.Count)],
            async () =>
            {
                await Task.Delay(TimeSpan.FromSeconds(seconds / 2));
                middle = Memory(bed);
                await Task.Delay(TimeSpan.FromSeconds(seconds / 2));
                end = Memory(bed);
            }
        );
        JsonElement[] servers = await Task.WhenAll(
            Enumerable
                .Range(0, bed.Count)
                .Select(rank =>
                    bed.UntilAsync(
                        $"server {bed.Coordinate(rank)} has no packet left",
                        () => bed.ServerAsync(rank),
                        server => server.GetProperty("packets").GetProperty("inUse").GetInt64() == 0,
                        TimeSpan.FromSeconds(20)
                    )
                )
        );
        await CubeChecks.WholeAsync(bed);
        Assert.Equal(27, servers.Length);
        Assert.True(middle > 27 << 20, $"{middle} bytes are not the memory of 27 servers");
        Assert.True(end < 1.3 * middle, $"memory grew from {middle} to {end} bytes in the second half");
        output.WriteLine(
            $"{done} operations in {seconds} s; memory (PSS) of 27 servers: {middle >> 20} MiB halfway, "
                + $"{end >> 20} MiB at the end"
        );
    }

    // Not by the testbed's command: a program that is started takes its time beside the load.
    private static long Memory(CableBed bed) =>
        TestbedStore.Read(bed.Name)!.Servers.Sum(server => ProcessFiles.ProportionalBytes(server.Process!.Id));

    private static async Task<string?> LinkAsync(CableBed bed, int rank, string link) =>
        (await bed.ServerAsync(rank))
            .GetProperty("links")
            .EnumerateArray()
            .First(l => l.GetProperty("link").GetString() == link)
            .GetProperty("state")
            .GetString();

    private static async Task<long> ItemsAsync(CableBed bed, int rank)
    {
        string stats = await bed.InsideAsync(rank, "sh", "-c", @"printf 'stats\r\nquit\r\n' | nc -w 5 127.0.0.1 11211");
        string line = stats.Split("\r\n").First(l => l.StartsWith("STAT curr_items ", StringComparison.Ordinal));
        return long.Parse(line.Split(' ')[2], CultureInfo.InvariantCulture);
    }

    private static string Seconds(TimeSpan time) => time.TotalSeconds.ToString("F2", CultureInfo.InvariantCulture);

    /// <summary>The testbed of one shim, made when the first test asks for it.</summary>
    public abstract class Bed(string shim) : IAsyncDisposable
    {
        private readonly SemaphoreSlim _one = new(1);
        private CableBed? _bed;

        internal async Task<CableBed> GetAsync()
        {
            RequireAll.Testbed();
            await _one.WaitAsync();
            try
            {
                return _bed ??= await CableBed.StartAsync("3x3x3", shim, "--set", "Services:cache:MemoryLimit=16MiB");
            }
            finally
            {
                _one.Release();
            }
        }

        public async ValueTask DisposeAsync()
        {
            if (_bed is not null)
            {
                await _bed.DisposeAsync();
            }

            _one.Dispose();
        }
    }
}
