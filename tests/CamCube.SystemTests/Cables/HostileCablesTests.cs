using System.Buffers.Binary;
using System.Diagnostics;
using System.Text;
using System.Text.Json;

namespace CamCube.SystemTests.Cables;

/// <summary>Neighbours that are not what they should be, on real cables: they are counted and named, and the others go
/// on.</summary>
[Collection(CablesGroup.Name)]
public sealed class HostileCablesTests(ITestOutputHelper output)
{
    private const int LongestFrame = 9_014 - 14;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(40);
    private static readonly int[] Others = [0, 1];

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Frames_of_every_length_with_any_content_at_full_rate_do_no_harm(bool besideTheServer)
    {
        await using CableBed bed = await CableBed.StartAsync("1x1x3", "ethernet");
        await CubeChecks.WholeAsync(bed);
        if (!besideTheServer)
        {
            await bed.DoAsync("kill", bed.Coordinate(2));
        }

        using RawCable plus = await RawCable.OpenAsync(bed, 2, "eth5"),
            minus = await RawCable.OpenAsync(bed, 2, "eth6");
        var watch = Stopwatch.StartNew();
        int done = await CubeChecks.UnderLoadAsync(
            bed,
            4,
            Others,
            () => Task.WhenAll(Task.Run(() => Flood(plus, bed.Name, 1)), Task.Run(() => Flood(minus, bed.Name, 2)))
        );
        output.WriteLine(
            $"{plus.Sent + minus.Sent} frames in {watch.Elapsed.TotalSeconds:F1} s, {done} operations meanwhile"
        );
        Assert.True(plus.Sent > 20_000 && minus.Sent > 20_000, $"only {plus.Sent} and {minus.Sent} frames were sent");
        foreach (int rank in Others)
        {
            JsonElement drops = (await bed.ServerAsync(rank)).GetProperty("drops");
            output.WriteLine($"{bed.Coordinate(rank)}: {drops}");
            Assert.All(
                (string[])["malformed", "miscabled"],
                reason => Assert.True(drops.GetProperty(reason).GetInt64() > 1_000, $"{drops}")
            );
        }

        if (!besideTheServer)
        {
            await CubeChecks.WholeAsync(bed, rank => rank != 2);
            await bed.DoAsync("start", bed.Coordinate(2));
        }

        await CubeChecks.WholeAsync(bed);
        await CubeChecks.PlacesFitTheCablesAsync(bed);
        await CubeChecks.OneCacheAsync(bed);
    }

    [Fact]
    public async Task A_neighbour_that_speaks_a_newer_version_is_named()
    {
        await using CableBed bed = await CableBed.StartAsync("1x1x3", "ethernet");
        await CubeChecks.WholeAsync(bed);
        await bed.DoAsync("kill", bed.Coordinate(2));
        using RawCable cable = await RawCable.OpenAsync(bed, 2, "eth5");
        byte[] hello = Hello(bed.Name, version: 2, highestWire: 3);
        string text = await FaultAsync(bed, 0, "otherVersion", () => cable.Send(hello));
        Assert.Contains(
            "lan7 (+z), which speaks cabling 2, data 2 to 3; here it is cabling 1, data 1",
            text,
            StringComparison.Ordinal
        );
        await CubeChecks.WholeAsync(bed, rank => rank != 2);
        await bed.DoAsync("start", bed.Coordinate(2));
        await CubeChecks.WholeAsync(bed);
        await CubeChecks.PlacesFitTheCablesAsync(bed);
    }

    [Fact]
    public async Task Of_two_servers_with_one_coordinate_the_later_one_takes_part_in_nothing_and_both_are_named()
    {
        await using CableBed bed = await CableBed.StartAsync("1x1x4", "ethernet", "--fixed-places");
        await CubeChecks.WholeAsync(bed);
        string[] words = await WordsAsync(bed, 3);
        await bed.DoAsync("kill", bed.Coordinate(3));
        using Process rival = Process.Start(
            new ProcessStartInfo(
                "ip",
                [
                    "netns",
                    "exec",
                    bed.NamespaceOf(3),
                    .. words.Select(w => w.Replace("Coordinate=0,0,3", "Coordinate=0,0,1", StringComparison.Ordinal)),
                ]
            )
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            }
        )!;
        Task<string> said = rival.StandardOutput.ReadToEndAsync();
        rival.BeginErrorReadLine();
        try
        {
            string text = await FaultAsync(bed, 0, "sameCoordinate");
            Assert.Contains("has the coordinate 0,0,1 too", text, StringComparison.Ordinal);
            JsonElement health = await bed.UntilAsync(
                "it refuses",
                () => bed.TryGetAsync(3, "/health/ready"),
                answer =>
                    answer.TryGetProperty("reasons", out JsonElement reasons)
                    && reasons.GetArrayLength() > 0
                    && reasons[0]
                        .GetString()!
                        .Contains("was started earlier: it takes part in nothing", StringComparison.Ordinal),
                Patience
            );
            output.WriteLine(health.ToString());
            await CubeChecks.WholeAsync(bed, rank => rank != 3);
        }
        finally
        {
            rival.Kill(entireProcessTree: true);
            await rival.WaitForExitAsync(TestContext.Current.CancellationToken);
            await said;
        }

        await bed.DoAsync("start", bed.Coordinate(3));
        await CubeChecks.WholeAsync(bed);
        await CubeChecks.OneCacheAsync(bed);
    }

    [Fact]
    public async Task A_server_with_another_cluster_key_is_named_and_nothing_of_it_gets_in()
    {
        await using CableBed bed = await CableBed.StartAsync("1x1x3", "udp");
        await CubeChecks.WholeAsync(bed);
        await bed.DoAsync("kill", bed.Coordinate(2));
        string file = Path.Combine(Path.GetDirectoryName(bed.StateFolderOf(2))!, "cluster.key");
        string key = await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(
            file,
            Convert.ToBase64String(new byte[32]) + "\n",
            TestContext.Current.CancellationToken
        );
        Task<CommandLine.ToolRun> start = CommandLine.ToolRun.Of(
            "testbed",
            "start",
            "--name",
            bed.Name,
            bed.Coordinate(2),
            "--timeout",
            "10s"
        );
        foreach (int rank in Others)
        {
            await bed.UntilAsync(
                "the key is named",
                () => Task.FromResult(bed.LogOf(rank)),
                log => log.Contains("does not have this cluster's key", StringComparison.Ordinal),
                Patience
            );
            JsonElement server = await bed.UntilAsync(
                "it is counted",
                () => bed.ServerAsync(rank),
                answer => answer.GetProperty("drops").TryGetProperty("unauthenticated", out _),
                Patience
            );
            output.WriteLine($"{bed.Coordinate(rank)}: {server.GetProperty("drops")}");
        }

        await CubeChecks.WholeAsync(bed, rank => rank != 2);
        await start;
        await bed.DoAsync("kill", bed.Coordinate(2));
        await File.WriteAllTextAsync(file, key, TestContext.Current.CancellationToken);
        await bed.DoAsync("start", bed.Coordinate(2));
        await CubeChecks.WholeAsync(bed);
        await CubeChecks.OneCacheAsync(bed);
    }

    [Theory]
    [InlineData("--fixed-places")]
    [InlineData]
    public async Task A_server_that_returns_with_a_smaller_MTU_loses_that_cable_and_nothing_else(
        params string[] options
    )
    {
        await using CableBed bed = await CableBed.StartAsync("1x1x3", "ethernet", options);
        await CubeChecks.WholeAsync(bed);
        await bed.DoAsync("kill", bed.Coordinate(1));
        await ProgramRun.Must("ip", "-n", bed.NamespaceOf(1), "link", "set", "eth5", "mtu", "1500");
        await bed.DoAsync("start", bed.Coordinate(1));
        string text = await FaultAsync(bed, 0, "frameLength");
        Assert.Contains("the cube uses 9014, so the cable carries nothing", text, StringComparison.Ordinal);
        await CubeChecks.WholeAsync(bed, _ => true);

        // Long values in frames of full length, also through the server in between: all keys, from and to all servers.
        for (int i = 0; i < 24; i++)
        {
            using Hosts.MemcachedClient writer = await bed.MemcachedAsync(i % 3),
                reader = await bed.MemcachedAsync((i + 1 + (i / 3 % 2)) % 3);
            string value = new((char)('a' + i), 60_000);
            Assert.Equal("STORED", await writer.SetAsync($"long{i}", value));
            Assert.Equal(value, (await reader.GetsAsync($"long{i}"))?.Value);
        }

        await ProgramRun.Must("ip", "-n", bed.NamespaceOf(1), "link", "set", "eth5", "mtu", "9000");
        await CubeChecks.WholeAsync(bed);
        await CubeChecks.PlacesFitTheCablesAsync(bed);
    }

    /// <summary>All lengths there are, with random bytes, and with a beginning that gets past the first
    /// looks.</summary>
    private static void Flood(RawCable cable, string cluster, int seed)
    {
        var random = new Random(seed);
        byte[] payload = new byte[LongestFrame];
        byte[] hello = Hello(cluster, version: 1, highestWire: 1);
        for (int length = 0; length <= LongestFrame; length++)
        {
            for (int kind = 0; kind < 4; kind++)
            {
                Span<byte> frame = payload.AsSpan(0, length);
                random.NextBytes(frame);
                if (length > 0 && kind > 0)
                {
                    frame[0] = (byte)(kind == 2 ? 1 : 0);
                }

                if (kind == 3 && length > hello.Length)
                {
                    // A control frame of this cube with nonsense in it.
                    hello.CopyTo(frame);
                    frame[1] = (byte)random.Next(1, 6);
                    BinaryPrimitives.WriteUInt16LittleEndian(frame[6..], (ushort)Math.Min(length, 1_500));
                }

                cable.Send(frame, random.Next(2) == 0);
            }
        }
    }

    /// <summary>The beginning of a hello as docs/cabling.md has it, with nothing behind that this version
    /// knows.</summary>
    private static byte[] Hello(string cluster, int version, int highestWire)
    {
        byte[] name = Encoding.ASCII.GetBytes(cluster),
            port = "lan7"u8.ToArray();
        byte[] frame =
        [
            0,
            1,
            (byte)version,
            (byte)version,
            (byte)highestWire,
            4,
            0,
            0,
            .. new byte[16],
            (byte)name.Length,
            .. name,
            (byte)port.Length,
            .. port,
            .. new byte[8],
        ];
        BinaryPrimitives.WriteUInt16LittleEndian(frame.AsSpan(6), (ushort)frame.Length);
        BinaryPrimitives.WriteUInt64LittleEndian(frame.AsSpan(8), 0x7700_0000_0000_0077);
        return frame;
    }

    private async Task<string> FaultAsync(CableBed bed, int rank, string kind, Action? meanwhile = null)
    {
        JsonElement cabling = await bed.UntilAsync(
            $"{kind} is named",
            () =>
            {
                meanwhile?.Invoke();
                return bed.GetAsync(rank, "/api/cabling");
            },
            answer => answer.GetProperty("faults").EnumerateArray().Any(f => f.GetProperty("kind").GetString() == kind),
            Patience
        );
        string text = cabling
            .GetProperty("faults")
            .EnumerateArray()
            .First(f => f.GetProperty("kind").GetString() == kind)
            .GetProperty("text")
            .GetString()!;
        output.WriteLine(text);
        return text;
    }

    /// <summary>The command line of a server that runs.</summary>
    private static async Task<string[]> WordsAsync(CableBed bed, int rank)
    {
        JsonElement status = JsonDocument
            .Parse(await bed.DoAsync("status", "--json", "--interval", "100ms"))
            .RootElement;
        int process = status
            .GetProperty("servers")
            .EnumerateArray()
            .Single(s => s.GetProperty("rank").GetInt32() == rank)
            .GetProperty("process")
            .GetInt32();
        string line = await File.ReadAllTextAsync($"/proc/{process}/cmdline");
        return line.Split('\0', StringSplitOptions.RemoveEmptyEntries);
    }
}
