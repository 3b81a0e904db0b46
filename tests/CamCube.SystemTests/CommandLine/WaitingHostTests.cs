using System.Text.Json;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

/// <summary>What the command line tells of servers that wait for their places, because one is missing.</summary>
public sealed class WaitingHostTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task Links_of_a_server_that_waits_for_its_place_say_whom_it_hears()
    {
        int udp = HostProcess.FreePorts(24);
        string state = Directory.CreateTempSubdirectory("camcube-waiting-").FullName;
        try
        {
            await using HostProcess one = Begin(0, udp, state),
                other = Begin(1, udp, state);
            (string Link, string State)[] hoped = [("+x", "up"), ("-x", "down")];
            JsonElement[] links = [];
            for (long began = TimeProvider.System.GetTimestamp(); ; )
            {
                ToolRun run = await LinksAsync(one, "--json");
                links = run.ExitCode == 0 ? [.. JsonDocument.Parse(run.Output).RootElement.EnumerateArray()] : [];
                if (links.Length == 2 && Text(links[0], "cable") == "up")
                {
                    break;
                }

                Assert.True(
                    TimeProvider.System.GetElapsedTime(began) < Patience,
                    $"{run.Output}{run.Error}{one.Output}{other.Output}"
                );
            }

            string identity = Identity(state, 0);
            Assert.Equal(hoped, links.Select(link => (Text(link, "link")!, Text(link, "state")!)));
            Assert.Equal([Identity(state, 1), null], links.Select(link => Text(link, "neighbour")));
            Assert.Equal(["up", "down"], links.Select(link => Text(link, "cable")));
            Assert.All(
                links,
                link =>
                {
                    Assert.Equal(identity, Text(link, "server"));
                    Assert.Equal(JsonValueKind.Null, link.GetProperty("rank").ValueKind);
                    Assert.Equal(JsonValueKind.Null, link.GetProperty("neighbourRank").ValueKind);
                    Assert.Equal(0, link.GetProperty("sentPackets").GetInt64());
                }
            );

            string table = (await LinksAsync(one)).Output;
            Assert.Equal(2, table.Split('\n').Count(line => line.Contains(identity, StringComparison.Ordinal)));
            Assert.Equal("[]\n", (await LinksAsync(one, "1,0,0", "--json")).Output);
        }
        finally
        {
            Directory.Delete(state, recursive: true);
        }
    }

    private static HostProcess Begin(int number, int udp, string state) =>
        HostProcess.Begin(
            "--shim=Udp",
            "--shape=3x1x1",
            $"--StateDirectory={Path.Combine(state, $"{number}")}",
            "--FrontEndAddress=127.0.0.1",
            $"--Udp:ClusterKey={Convert.ToBase64String(new byte[32])}",
            $"--Udp:BasePort={udp + (8 * number)}",
            "--Udp:BindAddress=127.0.0.1",
            $"--Udp:Neighbours:+x=127.0.0.1:{udp + (8 * ((number + 1) % 3)) + 1}",
            $"--Udp:Neighbours:-x=127.0.0.1:{udp + (8 * ((number + 2) % 3))}"
        );

    private static string Identity(string state, int number) =>
        File.ReadLines(Path.Combine(state, $"{number}", "server"))
            .Single(line => line.StartsWith("id ", StringComparison.Ordinal))["id ".Length..];

    private static string? Text(JsonElement link, string name) => link.GetProperty(name).GetString();

    private static Task<ToolRun> LinksAsync(HostProcess host, params string[] words) =>
        ToolRun.Of(["links", .. words, "--host", $"http://127.0.0.1:{host.HttpPort}"]);
}
