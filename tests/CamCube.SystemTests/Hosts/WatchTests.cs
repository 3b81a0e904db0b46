using System.Net;
using System.Net.Sockets;
using System.Text;

namespace CamCube.SystemTests.Hosts;

/// <summary>The watch of hosts that are processes of their own, cabled over UDP on loopback: what stands in their logs
/// and their health when a service hangs, and when the whole process is stopped. A service hangs as long as a file is
/// there.</summary>
public sealed class WatchTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();
    private readonly int _udp = HostProcess.FreePorts(16);
    private readonly int _echo = HostProcess.FreePorts(2);

    public void Dispose() => File.Delete(_file);

    [Fact]
    public async Task A_server_that_hangs_is_named_in_log_and_health_and_one_that_was_stopped_whole_is_not()
    {
        await using HostProcess first = await StartAsync(0),
            second = await StartAsync(1);
        await UntilAsync(second, "/health/ready", HttpStatusCode.OK, "ready");

        // Stopped for twice the time after which a loop counts as hung.
        second.Signal(PosixSignalNumber.Stop);
        await Task.Delay(TimeSpan.FromSeconds(2));
        second.Signal(PosixSignalNumber.Continue);
        await UntilAsync(second, "/health/ready", HttpStatusCode.OK, "ready");
        Assert.DoesNotContain("has been in", second.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("has not turned", second.Output, StringComparison.Ordinal);

        for (int i = 0; i < 100; i++)
        {
            using HttpResponseMessage broken = await second.Http.PostAsync(
                "/api/servers/1/services/subject/break",
                null
            );
            Assert.Equal(HttpStatusCode.InternalServerError, broken.StatusCode);
        }

        Assert.Contains("as it was told", second.Output, StringComparison.Ordinal);
        await UntilAsync(second, "/health/ready", HttpStatusCode.OK, "ready");

        using Socket client = await HostProcess.ConnectToAsync(_echo + 1);
        await client.SendAsync(Encoding.UTF8.GetBytes($"hang {_file}\n"));
        await UntilAsync(
            second,
            "/health/ready",
            HttpStatusCode.ServiceUnavailable,
            "loop of 1,0,0 has been in echo.call for "
        );
        await UntilAsync(second, "/health/live", HttpStatusCode.ServiceUnavailable, "\"dead\"");
        await UntilAsync(first, "/health/ready", HttpStatusCode.OK, "ready");
        await UntilOutputAsync(second, "loop of 1,0,0 has been in echo.call for 1 s");

        File.Delete(_file);
        await UntilAsync(second, "/health/live", HttpStatusCode.OK, "live");
        await UntilOutputAsync(second, "The loop goes on; it was in echo.call on server 1,0,0 for ");
        Assert.DoesNotContain("has been in", first.Output, StringComparison.Ordinal);

        await File.WriteAllTextAsync(_file, "");
        await client.SendAsync(Encoding.UTF8.GetBytes($"hang {_file}\n"));
        await UntilAsync(second, "/health/ready", HttpStatusCode.ServiceUnavailable, "echo.call");
        (int exitCode, TimeSpan took) = await second.EndAsync(PosixSignalNumber.Terminate);
        Assert.Equal(0, exitCode);
        Assert.True(took < TimeSpan.FromSeconds(10), $"It took {took}.");
        Assert.Contains(
            "the cube did not stop in time; going on without: loop of 1,0,0 has been in echo.call for ",
            second.Output,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_constructor_without_end_is_named_by_the_log_while_the_host_starts()
    {
        await using HostProcess host = HostProcess.Begin([.. Settings(0), $"--Services:echo:HangWhile={_file}"]);
        await UntilOutputAsync(host, "loop of 0,0,0 has been in echo.constructor for 1 s");
        await host.EndAsync(PosixSignalNumber.Terminate);
        Assert.Contains(
            "did not stop in time; going on without: loop of 0,0,0 has been in echo.constructor for ",
            host.Output,
            StringComparison.Ordinal
        );
    }

    private static async Task UntilAsync(HostProcess host, string path, HttpStatusCode code, string text)
    {
        string last = "";
        for (int i = 0; i < 600; i++)
        {
            try
            {
                using HttpResponseMessage answer = await host.Http.GetAsync(path);
                last = $"{(int)answer.StatusCode} {await answer.Content.ReadAsStringAsync()}";
                if (answer.StatusCode == code && last.Contains(text, StringComparison.Ordinal))
                {
                    return;
                }
            }
            catch (HttpRequestException e)
            {
                last = e.Message;
            }

            await Task.Delay(50);
        }

        throw new TimeoutException($"{path} does not become {code} {text}: {last}\n{host.Output}");
    }

    private static async Task UntilOutputAsync(HostProcess host, string text)
    {
        for (int i = 0; i < 600 && !host.Output.Contains(text, StringComparison.Ordinal); i++)
        {
            await Task.Delay(50);
        }

        Assert.Contains(text, host.Output, StringComparison.Ordinal);
    }

    private Task<HostProcess> StartAsync(int rank) => HostProcess.StartAsync(0, 0, Settings(rank));

    private string[] Settings(int rank) =>
        [
            "--shim=Udp",
            "--shape=2x1x1",
            $"--coordinate={rank},0,0",
            "--FrontEndAddress=127.0.0.1",
            $"--Udp:ClusterKey={Convert.ToBase64String(new byte[32])}",
            $"--Udp:BasePort={_udp + (8 * rank)}",
            "--Udp:BindAddress=127.0.0.1",
            $"--Udp:Neighbours:+x=127.0.0.1:{_udp + (8 * (1 - rank)) + 1}",
            $"--Udp:Neighbours:-x=127.0.0.1:{_udp + (8 * (1 - rank))}",
            "--Liveness:DetectionTime=5s",
            $"--Services:echo:Assembly={BuiltPrograms.Find("CamCube.TestServices")}",
            $"--Services:subject:Assembly={BuiltPrograms.Find("CamCube.TestServices")}",
            $"--FrontEnds:echo:Port={_echo + rank}",
            "--Watch:HungAfter=1s",
            "--Watch:DeadAfter=2s",
        ];
}
