using System.Diagnostics;
using CamCube.SystemTests.Cables;

namespace CamCube.SystemTests.Hosts;

/// <summary>The sample with an HTTP front end, loaded by the host from outside of the solution's friendship, as curl
/// sees it.</summary>
public sealed class NotesTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task Notes_are_kept_found_and_asked_for_in_parts_by_a_crowd()
    {
        RequireAll.Program("curl");
        int port = HostProcess.FreePorts(27);
        await using HostProcess host = await StartAsync(port);
        Assert.Contains($"notes 127.0.0.1:{port}-{port + 26}", host.Output);
        string url = $"http://127.0.0.1:{port}/notes";
        Assert.Equal("404 there is no note 'one'.", await RefusalAsync("-s", $"{url}/one"));
        Assert.Equal("200", await CurlAsync("-s", "-o", "/dev/null", "-w", "%{http_code}", "-T", "-", $"{url}/one"));
        Assert.Equal("hello, notes", await CurlAsync("-s", $"{url}/one"));
        Assert.Equal("notes", await CurlAsync("-s", "-r", "7-11", $"{url}/one"));
        Assert.Equal(
            "304",
            await CurlAsync("-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "If-None-Match: \"1\"", $"{url}/one")
        );
        Assert.Equal(
            "404 there is no note 'one'.",
            await RefusalAsync("-s", $"http://127.0.0.1:{port + 26}/notes/one")
        );
        string large = Path.GetTempFileName();
        await File.WriteAllBytesAsync(large, new byte[65_537], TestContext.Current.CancellationToken);
        Assert.Equal("413 a note has 65,536 bytes at most.", await RefusalAsync("-s", "-T", large, $"{url}/large"));
        File.Delete(large);

        // A crowd, among them some that give up in the middle.
        string[] answers = await Task.WhenAll(
            Enumerable
                .Range(0, 40)
                .Select(async i =>
                {
                    string name = $"http://127.0.0.1:{port + (i % 27)}/notes/crowd-{i}";
                    if (i % 5 == 0)
                    {
                        // Sends more than a note has, slowly, and is gone after a moment.
                        await CurlAsync("-s", "--max-time", "0.2", "--limit-rate", "10", "-T", "-", name);
                        return "hello, notes";
                    }

                    await CurlAsync("-s", "-T", "-", name);
                    return await CurlAsync("-s", name);
                })
        );
        Assert.All(answers, answer => Assert.Equal("hello, notes", answer));
        Assert.DoesNotContain("faulted", host.Output);
        (int exitCode, _) = await host.EndAsync(PosixSignalNumber.Terminate);
        Assert.Equal(0, exitCode);
    }

    private static Task<HostProcess> StartAsync(int port) =>
        HostProcess.StartAsync(
            0,
            0,
            [$"--Services:notes:Assembly={BuiltPrograms.Find("Notes")}", $"--FrontEnds:notes:Port={port}"]
        );

    private static async Task<string> RefusalAsync(params string[] arguments)
    {
        string answer = await CurlAsync([.. arguments, "-w", "%{http_code}"]);
        string detail = answer.Split("\"detail\":\"")[1].Split("\"}")[0];
        return $"{answer[^3..]} {detail}";
    }

    private static async Task<string> CurlAsync(params string[] arguments)
    {
        using var curl = new Process
        {
            StartInfo = new ProcessStartInfo("curl", arguments)
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
            },
        };
        curl.Start();
        try
        {
            await curl.StandardInput.WriteAsync("hello, notes");
            curl.StandardInput.Close();
        }
        catch (IOException)
        {
            // It has ended already.
        }

        string output = await curl.StandardOutput.ReadToEndAsync().WaitAsync(Patience);
        await curl.WaitForExitAsync().WaitAsync(Patience);
        return output;
    }
}
