using System.Text.Json;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

/// <summary><c>camcube distribute</c> against a real host, whose servers have real folders.</summary>
public sealed class DistributeTests : IDisposable
{
    private const int Servers = 27;
    private const string Folder = "0130";
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-distribute-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task A_file_comes_to_all_servers_or_some_and_goes()
    {
        string file = Path.Combine(_folder.FullName, "image.raw");
        byte[] bytes = new byte[5_000_001];
        new Random(1).NextBytes(bytes);
        await File.WriteAllBytesAsync(file, bytes, TestContext.Current.CancellationToken);
        await using HostProcess host = await StartAsync("--Services:distribution:Enabled=true");
        ToolRun sent = await DistributeAsync(host, file, "--to", "all", "--json");
        Assert.Equal((0, ""), (sent.ExitCode, sent.Error));
        JsonElement json = JsonDocument.Parse(sent.Output).RootElement;
        Assert.Equal(("done", 6), (json.GetProperty("state").GetString(), json.GetProperty("trees").GetInt32()));
        Assert.Equal(bytes.Length, json.GetProperty("bytes").GetInt64());
        JsonElement members = json.GetProperty("members");
        Assert.Equal(Servers, members.GetArrayLength());
        Assert.All(members.EnumerateArray(), m => Assert.Equal("done", m.GetProperty("state").GetString()));
        string[] copies = CopiesOf("image.raw");
        Assert.Equal(Servers, copies.Length);
        foreach (string copy in copies)
        {
            Assert.Equal(bytes, await File.ReadAllBytesAsync(copy, TestContext.Current.CancellationToken));
        }

        ToolRun some = await DistributeAsync(host, file, "--to", "1,0,0", "13;2,2,2", "--as", "b", "--from", "26");
        Assert.Equal((0, ""), (some.ExitCode, some.Error));
        Assert.Contains("b, 5 MB, to 3 servers along 6 trees", some.Output, StringComparison.Ordinal);
        Assert.Equal(
            ["1-0-0", "1-1-1", "2-2-2"],
            CopiesOf("b").Select(static copy => copy.Split(Path.DirectorySeparatorChar)[^3]).Order()
        );

        ToolRun slow = await DistributeAsync(
            host,
            [file, "--to", "2,2,2", "--as", "c", "--limit", "200mbit", "--weight", "2", "--trees", "minicube"]
        );
        Assert.Equal((0, ""), (slow.ExitCode, slow.Error));
        Assert.Contains("c, 5 MB, to 1 servers along 1 tree", slow.Output, StringComparison.Ordinal);
        ToolRun taken = await DistributeAsync(host, file, "--to", "all");
        Assert.Equal((1, "camcube: there is a file image.raw already."), (taken.ExitCode, taken.OnlyErrorLine()));
        Assert.Equal(0, (await DistributeAsync(host, file, "--to", "all", "--replace")).ExitCode);
        ToolRun listed = await DistributeAsync(host, "list", "--json");
        JsonElement jobs = JsonDocument.Parse(listed.Output).RootElement;
        Assert.Equal(4, jobs.GetArrayLength());
        string id = jobs[0].GetProperty("id").GetString()!;
        Assert.Equal(0, (await DistributeAsync(host, "status", id)).ExitCode);
        string[] of = ["topology", "trees", "--job", id, "--host", $"http://127.0.0.1:{host.HttpPort}"];
        ToolRun trees = await ToolRun.Of([.. of, "--json"]);
        Assert.Equal((0, ""), (trees.ExitCode, trees.Error));
        JsonElement[] rows = [.. JsonDocument.Parse(trees.Output).RootElement.EnumerateArray()];
        Assert.Equal(6 * Servers, rows.Length);
        Assert.Equal(6, rows.Count(static row => !row.TryGetProperty("parent", out _)));
        Assert.All(rows, static row => Assert.True(row.GetProperty("isMember").GetBoolean()));
        Assert.Contains($"Job {id}: 6 trees, root 0,0,0", (await ToolRun.Of(of)).Output, StringComparison.Ordinal);
        ToolRun over = await DistributeAsync(host, "cancel", id);
        Assert.Equal((1, $"camcube: no job {id} runs here."), (over.ExitCode, over.OnlyErrorLine()));
        ToolRun gone = await DistributeAsync(host, "rm", "image.raw");
        Assert.Equal((0, "image.raw is deleted at 27 servers.\n"), (gone.ExitCode, gone.Output));
        Assert.Empty(CopiesOf("image.raw"));
        Assert.Empty(_folder.GetFiles("*.part", SearchOption.AllDirectories));
        Assert.Empty(_folder.GetFiles("*.upload", SearchOption.AllDirectories));
    }

    [Fact]
    public async Task What_cannot_be_is_said_in_one_line()
    {
        string file = Path.Combine(_folder.FullName, "a.bin");
        await File.WriteAllBytesAsync(file, [1], TestContext.Current.CancellationToken);
        await using HostProcess host = await StartAsync("--Services:distribution:Enabled=true");
        await Says(2, "FILE and --to are needed", file);
        await Says(2, "FILE and --to are needed", "--to", "all");
        await Says(2, "cannot be read", $"{file}.none", "--to", "all");
        await Says(2, "--to '3,3,3' lies outside of 3x3x3", file, "--to", "3,3,3");
        await Says(2, "--to names server 1,1,1 twice", file, "--to", "13", "1,1,1");
        await Says(2, "--to 'some' must be all", file, "--to", "some");
        await Says(2, "'../b' is no name of a file here", file, "--to", "all", "--as", "../b");
        await Says(2, "ends with .part, .upload, .parity or .source", file, "--to", "all", "--as", "x.part");
        await Says(2, "ends with .part, .upload, .parity or .source", "rm", "x.part");
        await Says(2, "--weight must be 1 to 1000, and not 0", file, "--to", "all", "--weight", "0");
        await Says(2, "--limit '0mbit' must be a rate", file, "--to", "all", "--limit", "0mbit");
        await Says(2, "--trees 'seven' must be six, one or minicube", file, "--to", "all", "--trees", "seven");
        await Says(2, "--code must be 0 to 2, and not 3", file, "--to", "all", "--code", "3");
        string[] coded = [file, "--to", "all", "--code", "1", "--trees"];
        await Says(
            2,
            "--code 1 needs three trees or more, one of them for parity, and --trees one is one",
            [.. coded, "one"]
        );
        await Says(2, "and --trees minicube is one: leave --code out.", [.. coded, "minicube"]);
        Assert.Empty(CopiesOf("a.bin"));
        await Says(1, "no server of this host has begun a job 12", "status", "12");
        ToolRun none = await ToolRun.Of(
            "topology",
            "trees",
            "--job",
            "1",
            "--host",
            $"http://127.0.0.1:{host.HttpPort}"
        );
        Assert.Equal(1, none.ExitCode);
        Assert.Contains("no server of this host has begun a job 1,", none.OnlyErrorLine(), StringComparison.Ordinal);
        await Says(1, "there is no file nothing", "rm", "nothing");

        async Task Says(int exitCode, string words, params string[] arguments)
        {
            ToolRun run = await DistributeAsync(host, arguments);
            Assert.Equal(exitCode, run.ExitCode);
            Assert.Contains(words, run.OnlyErrorLine(), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_host_without_it_is_said_to_have_none()
    {
        string file = Path.Combine(_folder.FullName, "a.bin");
        await File.WriteAllBytesAsync(file, [1], TestContext.Current.CancellationToken);
        await using HostProcess host = await StartAsync();
        ToolRun run = await DistributeAsync(host, file, "--to", "all");
        Assert.Equal(3, run.ExitCode);
        Assert.Contains("--Services:distribution:Enabled=true", run.OnlyErrorLine(), StringComparison.Ordinal);
    }

    private Task<HostProcess> StartAsync(params string[] settings) =>
        HostProcess.StartAsync(0, 0, [$"--DataFolder={_folder.FullName}", .. settings]);

    private static Task<ToolRun> DistributeAsync(HostProcess host, params string[] arguments) =>
        ToolRun.Of(["distribute", .. arguments, "--host", $"http://127.0.0.1:{host.HttpPort}"]);

    private string[] CopiesOf(string name) =>
        [
            .. Directory
                .GetFiles(_folder.FullName, name, SearchOption.AllDirectories)
                .Where(static path => Path.GetFileName(Path.GetDirectoryName(path)) == Folder),
        ];
}
