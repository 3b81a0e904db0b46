using System.Net;
using System.Text;
using System.Text.Json;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

/// <summary><c>camcube kv export</c> and <c>import</c> against a real host, which is killed in the middle.</summary>
public sealed class KeyValueBackupTests : IDisposable
{
    private const int Servers = 3;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-kv-backup-");
    private readonly int _port = HostProcess.FreePorts(Servers);
    private readonly HttpClient _http = new() { Timeout = TimeSpan.FromSeconds(60) };
    private readonly byte[] _long = new byte[(20 << 20) + 5];

    public void Dispose()
    {
        _http.Dispose();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public async Task All_keys_and_values_come_back_as_they_were_also_in_several_goes()
    {
        await using HostProcess host = await StartAsync();
        new Random(1).NextBytes(_long);
        byte[] longest = new byte[65_535];
        Array.Fill(longest, (byte)0xFF);
        (byte[] Key, byte[] Value, string[] Headers)[] some =
        [
            ("empty"u8.ToArray(), [], []),
            ([0], [0, 1, 255], ["Content-Type: image/png", "X-Meta-Name: a \"b\" c"]),
            ([0xFF, 0xFE], "not text"u8.ToArray(), ["CamCube-Expires: 4000000000"]),
            (longest, "longest key"u8.ToArray(), []),
            (Encoding.UTF8.GetBytes("ümlaut {tag} \n\"quoted\""), "x"u8.ToArray(), []),
            ("limit"u8.ToArray(), _long[..65_536], []),
            ("over"u8.ToArray(), _long[..65_537], []),
            ("long"u8.ToArray(), _long, ["Content-Type: text/plain; charset=utf-8"]),
        ];
        foreach ((byte[] key, byte[] value, string[] headers) in some)
        {
            await PutAsync(key, 0, value, headers);
        }

        for (int i = 0; i < 20; i++)
        {
            await PutAsync(Encoding.UTF8.GetBytes($"many {i}"), 0, Encoding.UTF8.GetBytes($"{i}"));
        }

        string file = Path.Combine(_folder.FullName, "keys");
        Assert.Equal(
            (0, $"{20 + some.Length} keys, 20.1 MiB of values\n"),
            await RunAsync(host, "export", "--out", file)
        );
        string[] lines = await File.ReadAllLinesAsync(file, TestContext.Current.CancellationToken);
        Assert.All(lines, line => Assert.InRange(line.Length, 2, 600_000));
        Assert.Equal((2, ""), await RunAsync(host, "export", "--out", file));

        // One that was broken off goes on, wherever that was.
        byte[] whole = await File.ReadAllBytesAsync(file, TestContext.Current.CancellationToken);
        foreach (int cut in (int[])[10, whole.Length / 2])
        {
            await File.WriteAllBytesAsync($"{file}.cut", whole[..cut], TestContext.Current.CancellationToken);
            (int exitCode, string said) = await RunAsync(host, "export", "--out", $"{file}.cut", "--resume");
            Assert.Equal((0, $"{20 + some.Length} keys"), (exitCode, said[..7]));
            string[] again = await File.ReadAllLinesAsync($"{file}.cut", TestContext.Current.CancellationToken);
            Assert.Equal(Sorted(lines), Sorted(again));
        }

        // What was put is not put again; what is in the way stays.
        await PutAsync("many 7"u8.ToArray(), 1, "mine"u8.ToArray());
        await File.WriteAllBytesAsync($"{file}.cut", whole[..^400_000], TestContext.Current.CancellationToken);
        Assert.Equal(1, (await RunAsync(host, "import", "--file", $"{file}.cut", "--table", "1")).ExitCode);
        (int end, string words) = await RunAsync(host, "import", "--file", file, "--table", "1");
        Assert.Equal(1, end);
        Assert.StartsWith("another value is there: key \"many 7\"\n", words, StringComparison.Ordinal);
        ToolRun json = await KvAsync(host, "import", "--file", file, "--table", "1", "--json");
        JsonElement counts = JsonDocument.Parse(json.Output).RootElement;
        Assert.Equal((1, 0, 19 + some.Length, 1), (json.ExitCode, Int("imported"), Int("skipped"), Int("conflicts")));
        Assert.Equal(0, (await RunAsync(host, "import", "--file", file, "--table", "1", "--overwrite")).ExitCode);
        Assert.Equal(0, (await RunAsync(host, "export", "--out", $"{file}.1", "--table", "1")).ExitCode);
        string[] other = await File.ReadAllLinesAsync($"{file}.1", TestContext.Current.CancellationToken);
        Assert.Equal(Sorted(lines), Sorted(other));
        Assert.Equal(_long, await _http.GetByteArrayAsync(At("long"u8, 1), TestContext.Current.CancellationToken));

        // Into where it is from: what has gone comes back.
        await _http.DeleteAsync(At("many 3"u8, 0), TestContext.Current.CancellationToken);
        Assert.Equal(
            (0, $"1 keys put, 1 B; {19 + some.Length} were there; 0 with other values in the way\n"),
            await RunAsync(host, "import", "--file", file, "--same-cube")
        );
        int Int(string name) => counts.GetProperty(name).GetInt32();
    }

    [Fact]
    public async Task A_host_that_is_killed_in_the_middle_and_comes_back_only_makes_it_longer()
    {
        string file = Path.Combine(_folder.FullName, "keys");
        HostProcess host = await StartAsync();
        int port = host.HttpPort;
        for (int i = 0; i < 200; i++)
        {
            await PutAsync(Encoding.UTF8.GetBytes($"many {i}"), 0, _long[..30_000]);
        }

        Assert.Equal(0, (await RunAsync(host, "export", "--out", file)).ExitCode);
        Task<ToolRun> import = KvAsync(host, "import", "--file", file, "--table", "1");
        Task<ToolRun> export = KvAsync(host, "export", "--out", $"{file}.2");
        await BothHaveBegunAsync($"{file}.2");
        host.Signal(PosixSignalNumber.Kill);
        await host.WaitForEndAsync();
        await host.DisposeAsync();
        await using HostProcess again = await StartAsync(port);
        ToolRun imported = await import,
            exported = await export;
        Assert.Equal((0, ""), (imported.ExitCode, imported.Error));
        Assert.Equal((0, ""), (exported.ExitCode, exported.Error));
        Assert.Equal("200 keys, 5.7 MiB of values\n", exported.Output);
        Assert.Equal(0, (await RunAsync(again, "export", "--out", $"{file}.3", "--table", "1")).ExitCode);
        Assert.Equal(
            Sorted(await File.ReadAllLinesAsync(file, TestContext.Current.CancellationToken)),
            Sorted(await File.ReadAllLinesAsync($"{file}.3", TestContext.Current.CancellationToken))
        );
    }

    [Theory]
    [InlineData("", "the first line does not say camcube-kv 1: no export.")]
    [InlineData("{}\n", "line 1 is none that an export has.")]
    [InlineData("{\"format\":\"camcube-kv 2\",\"table\":0}\n", "the first line does not say camcube-kv 1: no export.")]
    [InlineData(
        "{\"format\":\"camcube-kv 1\",\"table\":0}\n{\"hex\":\"0\",\"version\":\"1\",\"value\":\"\"}\n",
        "line 2 is none that an export has."
    )]
    [InlineData(
        "{\"format\":\"camcube-kv 1\",\"table\":0}\n{\"key\":\"a\",\"version\":\"x\",\"value\":\"\"}\n",
        "line 2 is none that an export has."
    )]
    public async Task What_is_no_export_is_refused(string text, string words)
    {
        string file = Path.Combine(_folder.FullName, "none");
        await File.WriteAllTextAsync(file, text, TestContext.Current.CancellationToken);
        ToolRun run = await ToolRun.Of(["kv", "import", "--file", file, "--front-end", "http://127.0.0.1:1"]);
        Assert.Equal((2, $"camcube: {words}"), (run.ExitCode, run.OnlyErrorLine()));
    }

    private async Task BothHaveBegunAsync(string exported)
    {
        bool isImported = false;
        while (!isImported || !File.Exists(exported) || new FileInfo(exported).Length == 0)
        {
            await Task.Delay(5, TestContext.Current.CancellationToken);
            using HttpResponseMessage answer = await _http.GetAsync(
                new Uri($"http://127.0.0.1:{_port}/kv/?prefix=many&limit=1&table=1"),
                TestContext.Current.CancellationToken
            );
            string keys = await answer.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
            isImported = keys.Contains("many", StringComparison.Ordinal);
        }
    }

    // Without versions and cursors, and in the order of keys, each with its pieces.
    private static List<string> Sorted(string[] lines)
    {
        List<string> keys = [];
        foreach (string line in lines)
        {
            JsonElement json = JsonDocument.Parse(line).RootElement;
            if (json.TryGetProperty("piece", out JsonElement piece))
            {
                keys[^1] += piece.GetString();
            }
            else if (json.TryGetProperty("version", out _))
            {
                IEnumerable<JsonProperty> rest = json.EnumerateObject()
                    .Where(p => p.Name != "version" && p.Name != "expires");
                keys.Add(string.Join(',', rest));
            }
        }

        keys.Sort(StringComparer.Ordinal);
        return keys;
    }

    private Uri At(ReadOnlySpan<byte> key, int table)
    {
        StringBuilder text = new();
        foreach (byte one in key)
        {
            text.Append($"%{one:X2}");
        }

        return new Uri($"http://127.0.0.1:{_port}/kv/?key={text}&table={table}");
    }

    private async Task PutAsync(byte[] key, int table, byte[] value, params string[] headers)
    {
        using var content = new ByteArrayContent(value);
        foreach (string header in headers)
        {
            string[] parts = header.Split(": ", 2);
            content.Headers.TryAddWithoutValidation(parts[0], parts[1]);
        }

        using HttpResponseMessage put = await _http.PutAsync(At(key, table), content);
        Assert.Equal(HttpStatusCode.NoContent, put.StatusCode);
    }

    private Task<HostProcess> StartAsync(int port = 0) =>
        HostProcess.StartAsync(
            0,
            port,
            $"--Shape={Servers}x1x1",
            "--Services:kv:Enabled=true",
            "--Services:kv:Tables:0=1=3",
            $"--DataFolder={Path.Combine(_folder.FullName, "data")}",
            $"--FrontEnds:kv-http:Port={_port}"
        );

    private static async Task<(int ExitCode, string Output)> RunAsync(HostProcess host, params string[] arguments)
    {
        ToolRun run = await KvAsync(host, arguments);
        return (run.ExitCode, run.Output);
    }

    private static Task<ToolRun> KvAsync(HostProcess host, params string[] arguments) =>
        ToolRun.Of(["kv", .. arguments, "--host", $"http://127.0.0.1:{host.HttpPort}"]);
}
