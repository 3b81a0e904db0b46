using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.Cables;

/// <summary>What cabled servers say of a service that hangs, of a command that throws a hundred times and of a
/// recording that cannot be written; and that nobody else minds.</summary>
[Collection(CablesGroup.Name)]
public sealed class WatchOnCablesTests
{
    private const int Port = 7007;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task What_hangs_throws_or_cannot_be_written_is_named_in_log_and_health_and_hurts_nobody_else()
    {
        string file = Path.GetTempFileName();
        try
        {
            await using CableBed bed = await CableBed.StartAsync(
                "3x1x1",
                "ethernet",
                "--set",
                $"Services:echo:Assembly={BuiltPrograms.Find("CamCube.TestServices")}",
                "--set",
                $"Services:subject:Assembly={BuiltPrograms.Find("CamCube.TestServices")}",
                "--set",
                $"FrontEnds:echo:Port={Port}",
                "--set",
                "Watch:HungAfter=1s",
                "--set",
                "Watch:DeadAfter=2s",
                "--set",
                "Capture:File=/dev/full"
            );
            await CubeChecks.WholeAsync(bed);
            await CubeChecks.OneCacheAsync(bed);
            await SaysAsync(bed, 0, "/health/ready", "the capture /dev/full has ended: IOException");
            Assert.Contains("/dev/full", bed.LogOf(0), StringComparison.Ordinal);

            for (int i = 0; i < 100; i++)
            {
                Assert.Equal(
                    HttpStatusCode.InternalServerError,
                    await bed.PostAsync(2, "/api/servers/2/services/subject/break")
                );
            }

            JsonElement subject = (await bed.ServerAsync(2))
                .GetProperty("services")
                .EnumerateArray()
                .Single(service => service.GetProperty("name").GetString() == "subject");
            Assert.Equal(
                ("running", 0),
                (subject.GetProperty("state").GetString(), subject.GetProperty("faults").GetInt32())
            );
            Assert.Equal(100, subject.GetProperty("commandFaults").GetInt32());
            Assert.Contains("as it was told", bed.LogOf(2), StringComparison.Ordinal);

            using Socket client = await NamespaceSocket.ConnectAsync(bed.NamespaceOf(1), Port);
            await client.SendAsync(Encoding.UTF8.GetBytes($"hang {file}\n"));
            await SaysAsync(bed, 1, "/health/ready", "loop of 1,0,0 has been in echo.call for ");
            await SaysAsync(bed, 1, "/health/live", "dead");
            await bed.UntilAsync(
                "the log names it",
                () => Task.FromResult(bed.LogOf(1)),
                log => log.Contains("loop of 1,0,0 has been in echo.call for ", StringComparison.Ordinal),
                Patience
            );

            // The others go on without it, and it goes on when its service does.
            Assert.DoesNotContain(
                "has been in",
                (await bed.GetAsync(0, "/health/ready")).GetRawText(),
                StringComparison.Ordinal
            );
            Assert.DoesNotContain("echo.call", bed.LogOf(0) + bed.LogOf(2), StringComparison.Ordinal);
            File.Delete(file);
            await CubeChecks.WholeAsync(bed);
            await CubeChecks.OneCacheAsync(bed);
        }
        finally
        {
            File.Delete(file);
        }
    }

    private static Task<JsonElement> SaysAsync(CableBed bed, int rank, string path, string text) =>
        bed.UntilAsync(
            $"{path} says '{text}'",
            () => bed.GetAsync(rank, path),
            answer => answer.GetRawText().Contains(text, StringComparison.Ordinal),
            Patience
        );
}
