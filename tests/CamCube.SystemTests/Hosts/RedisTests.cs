using System.Diagnostics;
using System.Globalization;
using CamCube.SystemTests.CommandLine;

namespace CamCube.SystemTests.Hosts;

/// <summary>Redis' own programs against a real host with the store on a disk.</summary>
public sealed class RedisTests : IDisposable
{
    private const int Servers = 4;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-redis-");
    private readonly int _port = HostProcess.FreePorts(Servers);
    private readonly int _http = HostProcess.FreePorts(Servers);

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Redis_cli_finds_at_any_server_what_it_has_put_and_after_a_kill()
    {
        await using (HostProcess host = await StartAsync())
        {
            Assert.Contains($"redis 127.0.0.1:{_port}-{_port + Servers - 1}", host.Output);
            Assert.Equal("OK", await CliAsync(0, "set", "greeting", "hello"));
            Assert.Equal("hello", await CliAsync(3, "get", "greeting"));
            Assert.Equal("42", await CliAsync(1, "incrby", "answer", "42"));
            Assert.Equal("OK", await CliAsync(2, "set", "soon", "x", "PX", "1500"));
            Assert.Equal("PONG", await CliAsync(0, "-3", "ping"));
            Assert.Equal(
                "ERR unknown command 'lpush': it is for lists; this store has strings (docs/redis.md)",
                await CliAsync(0, "lpush", "l", "x")
            );

            // A transaction, by people who type.
            string script = Path.Combine(_folder.FullName, "script");
            await File.WriteAllTextAsync(script, "MULTI\nSET {t}a 1\nINCR {t}a\nEXEC\nGET {t}a\n", Cancel);
            Assert.Equal("OK\nQUEUED\nQUEUED\nOK\n2\n2", await CliAsync(1, "-x-file", script));
            await Task.Delay(1_700, Cancel);
            Assert.Equal("0", await CliAsync(3, "exists", "soon"));
            Assert.Equal(
                "answer\ngreeting\n{t}a",
                string.Join('\n', (await CliAsync(2, "--scan")).Split('\n').Order(StringComparer.Ordinal))
            );
            HostProcess.Send(host.ProcessId, PosixSignalNumber.Kill);
        }

        await using HostProcess again = await StartAsync();
        Assert.Equal("hello", await CliAsync(2, "get", "greeting"));
        Assert.Equal("2", await CliAsync(0, "get", "{t}a"));
    }

    [Fact]
    public async Task Redis_benchmark_runs_its_tests_of_strings()
    {
        await using HostProcess host = await StartAsync();
        foreach (string pipelined in (string[])["1", "16"])
        {
            string output = await RunAsync(
                "redis-benchmark",
                [
                    "-p",
                    $"{_port + 1}",
                    "-c",
                    "20",
                    "-n",
                    "2000",
                    "-r",
                    "100",
                    "-P",
                    pipelined,
                    "-q",
                    "-t",
                    "ping,set,get,incr",
                ]
            );
            string[] lines =
            [
                .. output
                    .Split('\r', '\n')
                    .Where(line => line.Contains("requests per second", StringComparison.Ordinal)),
            ];
            Assert.Equal(5, lines.Length);
            Assert.All(
                lines,
                line => Assert.True(double.Parse(line.Split(' ')[^6], CultureInfo.InvariantCulture) > 0, line)
            );
        }
    }

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    private Task<HostProcess> StartAsync() =>
        HostProcess.StartAsync(
            0,
            0,
            "--CamCube:Shape=2x2x1",
            $"--CamCube:DataFolder={_folder.FullName}",
            "--CamCube:Services:kv:Enabled=true",
            $"--CamCube:FrontEnds:kv-http:Port={_http}",
            "--CamCube:FrontEnds:redis:Enabled=true",
            $"--CamCube:FrontEnds:redis:Port={_port}"
        );

    private async Task<string> CliAsync(int rank, params string[] arguments) =>
        arguments[0] == "-x-file"
            ? await RunAsync("sh", ["-c", $"redis-cli -p {_port + rank} < {arguments[1]}"])
            : await RunAsync("redis-cli", ["-p", $"{_port + rank}", .. arguments]);

    private static async Task<string> RunAsync(string program, string[] arguments)
    {
        using var process = Process.Start(
            new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true }
        )!;
        Task<string> error = process.StandardError.ReadToEndAsync(Cancel);
        string output = await process.StandardOutput.ReadToEndAsync(Cancel);
        await process.WaitForExitAsync(Cancel);
        Assert.Equal((0, ""), (process.ExitCode, await error));
        return output.TrimEnd('\n');
    }
}
