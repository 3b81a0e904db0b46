using System.Text.Json;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

/// <summary><c>camcube kv</c> against a real host, which is killed in the middle and started again.</summary>
public sealed class KeyValueTests : IDisposable
{
    private const int Servers = 4;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-kv-");
    private readonly int _port = HostProcess.FreePorts(Servers);

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Values_are_put_and_found_again_after_a_kill_and_all_ends_have_their_code()
    {
        string version;
        await using (HostProcess host = await StartAsync())
        {
            Assert.Contains($"kv-http 127.0.0.1:{_port}-{_port + Servers - 1}", host.Output);
            ToolRun put = await KvAsync(host, "put", "greeting", "hello", "--type", "text/plain", "--json");
            Assert.Equal((0, ""), (put.ExitCode, put.Error));
            JsonElement json = JsonDocument.Parse(put.Output).RootElement;
            version = json.GetProperty("version").GetString()!;
            Assert.Equal(3, json.GetProperty("copies").GetInt32());
            Assert.InRange(json.GetProperty("micros").GetDouble(), 1, 60_000_000);
            await EndsAsync(
                host,
                1,
                $"the version that is there is \"{version}\"; nothing was changed.",
                "put",
                "greeting",
                "x",
                "--if-absent"
            );
            await EndsAsync(host, 1, "there is no such key.", "get", "nothing");
            await EndsAsync(host, 1, "there is no such key.", "wait", "nothing", "--timeout", "10ms");
            await EndsAsync(host, 2, "a key has 1 to 65,535 bytes; this one has 0.", "put", "", "x");
            await EndsAsync(
                host,
                2,
                "of --if-version, --if-absent and --if-present one is enough.",
                "delete",
                "a",
                "--if-absent",
                "--if-present"
            );

            // All bytes, and as many as there may be.
            byte[] value = new byte[3 << 20];
            new Random(1).NextBytes(value);
            string file = Path.Combine(_folder.FullName, "value");
            await File.WriteAllBytesAsync(file, value, TestContext.Current.CancellationToken);
            Assert.Equal(0, (await KvAsync(host, "put", "00FF", "--hex", "--file", file, "--at", "3")).ExitCode);
            Assert.Equal(0, (await KvAsync(host, "get", "00ff", "--hex", "--out", $"{file}.2", "--at", "2")).ExitCode);
            Assert.Equal(value, await File.ReadAllBytesAsync($"{file}.2", TestContext.Current.CancellationToken));
            Assert.False(File.Exists($"{file}.2.part"));
            await using (FileStream longer = File.Create(file))
            {
                longer.SetLength((1L << 30) + 1);
            }

            await EndsAsync(
                host,
                2,
                "a value has 1,073,741,824 bytes at most; nothing was changed.",
                "put",
                "long",
                "--file",
                file
            );
            await ListsAsync(host);
            await CountsAsync(host);
            ToolRun groups = await KvAsync(host, "groups", "--json");
            JsonElement[] rows = [.. JsonDocument.Parse(groups.Output).RootElement.EnumerateArray()];
            Assert.Equal(48 * Servers, rows.Length);
            Assert.All(rows, row => Assert.Equal(3, row.GetProperty("members").GetArrayLength()));
            Assert.Contains(
                $"{48 * Servers} groups, ",
                (await KvAsync(host, "groups")).Output,
                StringComparison.Ordinal
            );
            Assert.Contains("| 0,0,0  |    144 |", (await KvAsync(host, "status")).Output, StringComparison.Ordinal);
            await VerifiesAsync(host);
            host.Signal(PosixSignalNumber.Kill);
            await host.WaitForEndAsync();
        }

        await using HostProcess again = await StartAsync();
        ToolRun got = await KvAsync(again, "get", "greeting");
        Assert.Equal((0, "hello", ""), (got.ExitCode, got.Output, got.Error));
        ToolRun info = await KvAsync(again, "info", "greeting", "--at", "1");
        Assert.StartsWith($"version {version}, 5 bytes\ntext/plain, ", info.Output, StringComparison.Ordinal);
        Assert.Equal(0, (await KvAsync(again, "delete", "greeting", "--if-version", version)).ExitCode);
        await EndsAsync(again, 1, "there is no such key.", "info", "greeting");
    }

    private static async Task VerifiesAsync(HostProcess host)
    {
        ToolRun verify = await KvAsync(host, "verify", "--json", "--rate", "1GiB");
        Assert.Equal((0, ""), (verify.ExitCode, verify.Error));
        JsonElement json = JsonDocument.Parse(verify.Output).RootElement;
        Assert.Equal(48 * Servers, json.GetProperty("groups").GetInt32());
        Assert.Equal(3 * 3, json.GetProperty("compared").GetInt32());
        Assert.InRange(json.GetProperty("bytes").GetInt64(), 9 << 20, 10 << 20);
        Assert.Equal(
            0,
            json.GetProperty("differences").GetArrayLength() + json.GetProperty("skipped").GetArrayLength()
        );
        Assert.EndsWith(" read: none differs\n", (await KvAsync(host, "verify")).Output, StringComparison.Ordinal);
    }

    private static async Task CountsAsync(HostProcess host)
    {
        Assert.Equal("1\n", (await KvAsync(host, "add", "hits", "--at", "1")).Output);
        string url = $"http://127.0.0.1:{host.HttpPort}";
        Assert.Equal("-4\n", (await ToolRun.Of(["kv", "add", "hits", "--host", url, "--", "-5"])).Output);
        JsonElement sum = JsonDocument.Parse((await KvAsync(host, "add", "hits", "44", "--json")).Output).RootElement;
        Assert.Equal("40", sum.GetProperty("value").GetString());
        Assert.Equal(0, (await KvAsync(host, "append", "hits", "x")).ExitCode);
        Assert.Equal("40x", (await KvAsync(host, "get", "hits")).Output);
        const string NoNumber =
            "the value that is there is no number of 64 bits in decimal digits; nothing was changed.";
        await EndsAsync(host, 1, NoNumber, "add", "hits");
        await EndsAsync(host, 2, "NUMBER x: must be a whole number of 64 bits.", "add", "hits", "x");
    }

    private static async Task ListsAsync(HostProcess host)
    {
        ToolRun list = await KvAsync(host, "list", "--json", "--limit", "10", "--at", "1");
        JsonElement json = JsonDocument.Parse(list.Output).RootElement;
        JsonElement[] keys = [.. json.GetProperty("keys").EnumerateArray()];
        Assert.Equal(2, keys.Length);
        Assert.Contains(keys, key => key.TryGetProperty("key", out JsonElement text) && text.GetString() == "greeting");
        Assert.Contains(keys, key => key.GetProperty("length").GetInt32() == 3 << 20);
        Assert.False(json.TryGetProperty("next", out _));
        Assert.Contains("| greeting |", (await KvAsync(host, "list", "gree")).Output, StringComparison.Ordinal);
        Assert.Contains("0 keys", (await KvAsync(host, "list", "nothing")).Output, StringComparison.Ordinal);
        await EndsAsync(
            host,
            2,
            "the list does not go on from this cursor: it is cut, or of another list. Begin without one.",
            "list",
            "--cursor",
            "AAAA"
        );
    }

    [Fact]
    public async Task Without_a_disk_the_store_says_so()
    {
        await using HostProcess host = await HostProcess.StartAsync(
            0,
            0,
            "--Shape=1x1x1",
            "--Services:kv:Enabled=true",
            "--Services:kv:Timeout=100ms",
            $"--FrontEnds:kv-http:Port={_port}"
        );
        await EndsAsync(
            host,
            3,
            "too few of the servers that have this key answer; nothing was done, and nothing will be. This server "
                + "keeps no part of the store: there is no disk for it (setting CamCube:DataFolder).",
            "put",
            "a",
            "b"
        );
        Assert.Contains(
            "0,0,0 keeps no part of the store: there is no disk for it (setting CamCube:DataFolder).",
            (await KvAsync(host, "status")).Output,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_host_without_the_store_is_said_to_have_none()
    {
        await using HostProcess host = await HostProcess.StartAsync(0, 0, "--Shape=1x1x1");
        const string How = "a host has it with --Services:kv:Enabled=true --DataFolder=FOLDER.";
        await EndsAsync(host, 3, $"no server of this host answers for the key-value store now; {How}", "get", "a");
        await EndsAsync(host, 3, $"no server of this host runs the key-value store; {How}", "groups");
    }

    private Task<HostProcess> StartAsync() =>
        HostProcess.StartAsync(
            0,
            0,
            "--Shape=4x1x1",
            "--Services:kv:Enabled=true",
            $"--DataFolder={Path.Combine(_folder.FullName, "data")}",
            $"--FrontEnds:kv-http:Port={_port}"
        );

    private static Task<ToolRun> KvAsync(HostProcess host, params string[] arguments) =>
        ToolRun.Of(["kv", .. arguments, "--host", $"http://127.0.0.1:{host.HttpPort}"]);

    private static async Task EndsAsync(HostProcess host, int exitCode, string words, params string[] arguments)
    {
        ToolRun run = await KvAsync(host, arguments);
        Assert.Equal((exitCode, $"camcube: {words}"), (run.ExitCode, run.OnlyErrorLine()));
    }
}
