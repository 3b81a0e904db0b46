using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

/// <summary><c>camcube files</c> against a real host.</summary>
public sealed class FilesTests : IDisposable
{
    private const int Servers = 3;
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(20);
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-files-");
    private readonly int _port = HostProcess.FreePorts(2 * Servers);

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Files_and_directories_are_put_listed_fetched_verified_and_removed()
    {
        Directory.CreateDirectory(At("tree/x/y"));
        for (int i = 0; i < 4; i++)
        {
            await WriteAsync($"tree/x/f{i}", i * 700_000);
            await WriteAsync($"tree/x/y/g{i}", i);
        }

        await WriteAsync("one", 3_000_000);
        await using HostProcess host = await StartAsync();
        JsonElement[] put = Lines(await RunAsync(host, "put", At("tree"), "/tree", "--json"));
        Assert.Equal(8, put.Length);
        Assert.Contains(put, one => Text(one, "path") == "/tree/x/y/g3" && Number(one, "bytes") == 3);
        JsonElement single = Lines(await RunAsync(host, "put", At("one"), "/logs/", "--type", "x/y", "--json"))
            .Single();
        Assert.Equal(("/logs/one", 12), (Text(single, "path"), Number(single, "chunks")));

        JsonElement[] listed = Lines(await RunAsync(host, "ls", "-R", "/", "--json", "--at", "2"));
        Assert.Equal(13, listed.Length);
        Assert.Equal(5, listed.Count(static one => Text(one, "type") == "directory" || Text(one, "name") == "one"));
        string[] fitting = [.. Lines(await RunAsync(host, "ls", "/*/x/{f[12],none}", "--json")).Select(Path)];
        Assert.Equal(["/tree/x/f1", "/tree/x/f2"], fitting);
        JsonElement stat = Lines(await RunAsync(host, "stat", "logs/one", "--json")).Single();
        Assert.Equal((12, "x/y"), (stat.GetProperty("chunkList").GetArrayLength(), Text(stat, "mediaType")));
        JsonElement used = Lines(await RunAsync(host, "du", "/tree", "--json")).Single();
        Assert.Equal((8, 4_200_006), (Number(used, "files"), Number(used, "bytes")));

        Assert.Equal(0, (await RunAsync(host, "get", "/tree", At("back"), "--at", "1")).ExitCode);
        for (int i = 0; i < 4; i++)
        {
            await SameAsync($"tree/x/f{i}", $"back/x/f{i}");
            await SameAsync($"tree/x/y/g{i}", $"back/x/y/g{i}");
        }

        Assert.Equal(0, (await RunAsync(host, "get", "/logs/one", At("again"))).ExitCode);
        await SameAsync("one", "again");
        ToolRun cat = await RunAsync(host, "cat", "/tree/x/y/g*");
        Assert.Equal((0, 6), (cat.ExitCode, cat.Output.Length));
        ToolRun verified = await RunAsync(host, "verify", "/");
        Assert.Contains("9 files, 7,200,006 bytes, 0 wrong or away", verified.Output, StringComparison.Ordinal);

        // What is in the way, wrong or not there is said in one line, with an exit code.
        await FailsAsync(host, 1, "with other bytes", "put", At("tree/x/f1"), "/logs/one");
        await FailsAsync(host, 1, "no directory", "put", At("one"), "/logs/one/below");
        await FailsAsync(host, 1, "no such file", "cat", "/none");
        await FailsAsync(host, 1, "nothing fits", "ls", "/n*");
        await FailsAsync(host, 1, "-r removes", "rm", "/tree");
        await FailsAsync(host, 1, "is a directory", "cat", "/tree");
        await FailsAsync(host, 2, "are wanted", "put", At("one"));
        await FailsAsync(host, 2, "no names", "put", At("one"), "/a/../b");
        await FailsAsync(host, 2, "Could not find", "put", At("none"), "/none");
        await FailsAsync(host, 2, "root directory stays", "rm", "-r", "/");
        await FailsAsync(host, 2, "bracket", "ls", "/[a");
        await FailsAsync(host, 2, "no type", "put", At("one"), "/typed", "--type", "rubbish");

        Assert.Equal(0, (await RunAsync(host, "mkdir", "/empty/below")).ExitCode);
        Assert.Equal(0, (await RunAsync(host, "rm", "-r", "/tree", "/empty")).ExitCode);
        Assert.Equal(0, (await RunAsync(host, "rm", "-f", "/tree")).ExitCode);
        Assert.Equal(["/logs"], Lines(await RunAsync(host, "ls", "--json")).Select(Path));
    }

    // Two at once over HTTP, of which one client goes away in the middle, and one by the command line, whose own memory
    // is limited to a part of the file: a process that wants more ends.
    [Fact]
    public async Task A_file_is_never_in_memory_as_a_whole_on_its_way_in_and_out()
    {
        CancellationToken cancel = TestContext.Current.CancellationToken;
        Dictionary<string, string> little = new() { ["DOTNET_GCHeapHardLimit"] = "4000000" };
        const int Length = 160 << 20;
        await WriteAsync("warm", 4 << 20);
        await WriteAsync("large", Length);
        await using HostProcess host = await StartAsync(chunkBytes: 64 << 20);
        using HttpClient http = new() { Timeout = TimeSpan.FromMinutes(5) };
        async Task ThereAndBackAsync(string name, string path)
        {
            Uri at = new($"http://127.0.0.1:{_port + Servers}/files{path}");
            using StreamContent body = new(File.OpenRead(At(name)));
            using HttpResponseMessage put = await http.PutAsync(at, body, cancel);
            Assert.True(put.IsSuccessStatusCode, await put.Content.ReadAsStringAsync(cancel));
            await using Stream got = await http.GetStreamAsync(at, cancel);
            await using FileStream was = File.OpenRead(At(name));
            Assert.Equal(await SHA256.HashDataAsync(was, cancel), await SHA256.HashDataAsync(got, cancel));
        }

        async Task CutOffAsync(string path)
        {
            using var client = new TcpClient();
            await client.ConnectAsync(IPAddress.Loopback, _port + Servers, cancel);
            await using NetworkStream stream = client.GetStream();
            string head = $"PUT /files{path} HTTP/1.1\r\nHost: a\r\nContent-Length: {Length}\r\n\r\n";
            await stream.WriteAsync(Encoding.ASCII.GetBytes(head), cancel);
            byte[] part = new byte[1 << 20];
            for (int i = 0; i < 20; i++)
            {
                await stream.WriteAsync(part, cancel);
            }
        }

        await ThereAndBackAsync("warm", "/warm");
        long before = await PeakAsync(host.ProcessId, () => ThereAndBackAsync("warm", "/warm2"));
        long most = await PeakAsync(
            host.ProcessId,
            async () =>
            {
                await Task.WhenAll(ThereAndBackAsync("large", "/large"), CutOffAsync("/cut"));
                string at = $"http://127.0.0.1:{host.HttpPort}";
                ToolRun put = await ToolRun.With(little, "files", "put", At("large"), "/again", "--host", at);
                Assert.True(put.ExitCode == 0, put.Error);
                ToolRun get = await ToolRun.With(little, "files", "get", "/again", At("back"), "--host", at);
                Assert.True(get.ExitCode == 0, get.Error);
            }
        );
        Assert.Equal(Length, new FileInfo(At("back")).Length);
        Assert.True(most - before < Length / 2, $"{before >> 20} MiB before, {most >> 20} MiB with {Length >> 20} MiB");
        await FailsAsync(host, 1, "no such file", "stat", "/cut");
    }

    [Fact]
    public async Task A_host_without_the_store_is_said_to_have_none()
    {
        await using HostProcess host = await HostProcess.StartAsync(0, 0, "--Shape=1x1x1");
        await FailsAsync(host, 3, "a host has it with --Services:files:Enabled=true", "ls");
    }

    private static string Path(JsonElement one) => Text(one, "path")!;

    private static string? Text(JsonElement one, string name) => one.GetProperty(name).GetString();

    private static long Number(JsonElement one, string name) => one.GetProperty(name).GetInt64();

    private static JsonElement[] Lines(ToolRun run)
    {
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        return
        [
            .. run
                .Output.Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Select(static line => JsonDocument.Parse(line).RootElement),
        ];
    }

    private static async Task FailsAsync(HostProcess host, int exitCode, string words, params string[] arguments)
    {
        ToolRun run = await RunAsync(host, arguments);
        Assert.Equal(exitCode, run.ExitCode);
        Assert.Contains(words, run.OnlyErrorLine(), StringComparison.Ordinal);
    }

    private static Task<ToolRun> RunAsync(HostProcess host, params string[] arguments) =>
        ToolRun.Of(["files", .. arguments, "--host", $"http://127.0.0.1:{host.HttpPort}"]);

    private string At(string name) => System.IO.Path.Combine(_folder.FullName, name);

    private async Task WriteAsync(string name, int length)
    {
        byte[] bytes = new byte[length];
        new Random(length).NextBytes(bytes);
        await File.WriteAllBytesAsync(At(name), bytes, TestContext.Current.CancellationToken);
    }

    private async Task SameAsync(string one, string other) =>
        Assert.Equal(
            await File.ReadAllBytesAsync(At(one), TestContext.Current.CancellationToken),
            await File.ReadAllBytesAsync(At(other), TestContext.Current.CancellationToken)
        );

    // Most memory of a process that is no file of a disk, looked at again and again while something is done.
    private static async Task<long> PeakAsync(int process, Func<Task> work)
    {
        Task done = work();
        long most = 0;
        do
        {
            string line = File.ReadLines($"/proc/{process}/status")
                .Single(static l => l.StartsWith("RssAnon:", StringComparison.Ordinal));
            most = Math.Max(
                most,
                long.Parse(line["RssAnon:".Length..^"kB".Length], CultureInfo.InvariantCulture) << 10
            );
        } while (await Task.WhenAny(done, Task.Delay(Look)) != done);
        await done;
        return most;
    }

    private Task<HostProcess> StartAsync(int chunkBytes = 256 << 10) =>
        HostProcess.StartAsync(
            0,
            0,
            $"--Shape={Servers}x1x1",
            "--Services:kv:Enabled=true",
            "--Services:files:Enabled=true",
            $"--Services:files:ChunkBytes={chunkBytes}",
            $"--DataFolder={At("data")}",
            $"--FrontEnds:kv-http:Port={_port}",
            $"--FrontEnds:files:Port={_port + Servers}"
        );
}
