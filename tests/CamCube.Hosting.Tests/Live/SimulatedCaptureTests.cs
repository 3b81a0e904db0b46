using System.Net.Http.Json;
using System.Text.Json;
using CamCube.Host;
using CamCube.Hosting.Tests.Kit;
using CamCube.Simulator.Tests.Seeing;

namespace CamCube.Hosting.Tests.Live;

/// <summary>CamCube:Capture where the cube is simulated: all its servers write one file.</summary>
public sealed class SimulatedCaptureTests
{
    [Fact]
    public async Task Every_link_is_an_interface_and_frames_are_in_order_over_stops_starts_and_cuts()
    {
        using TestFolder folder = new("{}");
        string file = Path.Combine(folder.Path, "cube.pcapng");
        long before = NowNanos();
        await using (TestHost host = await StartAsync("--shape=3x2x1", $"--Capture:File={file}"))
        {
            await UntilAsync(host, file, reader => Senders(reader).Count == 24);
            (await host.Http.PostAsync("/api/servers/4/stop", null).SoonAsync()).EnsureSuccessStatusCode();
            (await host.Http.PostAsync("/api/cables/0/px/cut", null).SoonAsync()).EnsureSuccessStatusCode();
            (await host.Http.PostAsync("/api/servers/4/start", null).SoonAsync()).EnsureSuccessStatusCode();
            long restarted = NowNanos();
            await UntilAsync(host, file, reader => reader.Frames.Any(f => IsOf(f, "1,1,0") && f.Nanos > restarted));
            Assert.Equal(0, await host.StopAsync());
        }

        var whole = new PcapngReader(await File.ReadAllBytesAsync(file));

        // Six servers, of which each has two links on x and two on the axis of size 2.
        Assert.Equal(24, whole.Interfaces.Select(i => i.Name).Distinct().Count());
        Assert.Contains("2,1,0 -y", whole.Interfaces.Select(i => i.Name));
        Assert.All(whole.Frames.Zip(whole.Frames.Skip(1)), pair => Assert.True(pair.First.Nanos <= pair.Second.Nanos));
        Assert.All(whole.Frames, frame => Assert.InRange(frame.Nanos, before - 1_000_000_000, NowNanos()));
    }

    [Fact]
    public async Task Only_the_servers_and_links_that_are_asked_for_are_recorded()
    {
        using TestFolder folder = new("{}");
        string file = Path.Combine(folder.Path, "some.pcapng");
        await using TestHost host = await StartAsync(
            "--shape=3x2x1",
            $"--Capture:File={file}",
            "--Capture:Servers=0; 2,1,0",
            "--Capture:Links=+x,-y"
        );
        await UntilAsync(host, file, reader => Senders(reader).Count == 4);
        Assert.Equal(0, await host.StopAsync());
        Assert.Equal(
            ["0,0,0 +x", "0,0,0 -y", "2,1,0 +x", "2,1,0 -y"],
            new PcapngReader(await File.ReadAllBytesAsync(file)).Interfaces.Select(i => i.Name)
        );
    }

    [Theory]
    [InlineData("/dev/full", "1000000", "the capture /dev/full has ended: IOException")]
    [InlineData(null, "50", "it has 50 frames, all it may have")]
    public async Task A_file_that_takes_no_more_ends_the_recording_and_not_the_cube(
        string? file,
        string most,
        string says
    )
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        using TestFolder folder = new("{}");
        await using TestHost host = await StartAsync(
            $"--Capture:File={file ?? Path.Combine(folder.Path, "x.pcapng")}",
            $"--Capture:MostFrames={most}"
        );
        JsonElement health;
        do
        {
            health = await host.Http.GetFromJsonAsync<JsonElement>("/health/ready").SoonAsync();
        } while (health.GetProperty("status").GetString() == "ready");
        string reason = Assert.Single(health.GetProperty("reasons").EnumerateArray()).GetString()!;
        Assert.Contains(says, reason, StringComparison.Ordinal);
        using EchoClient client = await host.ConnectAsync(13);
        Assert.Equal("echo 1,1,1 hi", await client.AskAsync("hi"));
        Assert.Equal(0, await host.StopAsync());
    }

    [Theory]
    [InlineData("Servers=27", "CamCube:Capture:Servers = '27': allowed are ranks from 0 to 26 and coordinates")]
    [InlineData("Servers=0;3,0,0", "CamCube:Capture:Servers = '3,0,0': allowed are ranks from 0 to 26 and")]
    [InlineData("Servers=1;;2", "CamCube:Capture:Servers = '': allowed are ranks from 0 to 26 and")]
    [InlineData("Servers=all", "CamCube:Capture:Servers = 'all': allowed are ranks from 0 to 26 and")]
    [InlineData("Servers=4294967296", "CamCube:Capture:Servers = '4294967296': allowed are ranks from 0 to 26")]
    [InlineData("Links=+w", "CamCube:Capture:Links = '+w': allowed are")]
    [InlineData("MostFrames=0", "CamCube:Capture:MostFrames = '0': allowed is 1 to 1000000000.")]
    public async Task What_cannot_be_recorded_is_refused(string setting, string says)
    {
        using TestFolder folder = new("{}");
        await using TestHost host = await StartAsync(
            $"--Capture:File={Path.Combine(folder.Path, "x.pcapng")}",
            $"--Capture:{setting}"
        );
        Assert.Equal(2, await host.Exit.SoonAsync());
        Assert.StartsWith(says, Assert.Single(host.Errors.Lines), StringComparison.Ordinal);
    }

    private static Task<TestHost> StartAsync(params string[] arguments) =>
        TestHost.StartAsync(new SimulatorCubeFactory(TimeProvider.System), arguments);

    private static bool IsOf(PcapngReader.Frame frame, string server) =>
        frame.Interface.StartsWith($"{server} ", StringComparison.Ordinal);

    private static HashSet<string> Senders(PcapngReader reader) => [.. reader.Frames.Select(frame => frame.Interface)];

    // A file that is being written may end within a block: then it is read again, after another answer of the host.
    private static async Task UntilAsync(TestHost host, string file, Func<PcapngReader, bool> isThere)
    {
        await Looking().SoonAsync(() => $"{new FileInfo(file).Length} bytes");

        async Task Looking()
        {
            while (true)
            {
                await host.StatusAsync();
                try
                {
                    using FileStream stream = new(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
                    byte[] bytes = new byte[stream.Length];
                    await stream.ReadExactlyAsync(bytes);
                    if (isThere(new PcapngReader(bytes)))
                    {
                        return;
                    }
                }
                catch (Exception e) when (e is Xunit.Sdk.XunitException or ArgumentException)
                {
                    // Not whole.
                }
            }
        }
    }

    private static long NowNanos() => (DateTime.UtcNow.Ticks - DateTime.UnixEpoch.Ticks) * 100;
}
