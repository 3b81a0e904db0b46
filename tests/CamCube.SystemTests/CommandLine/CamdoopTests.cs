using System.Globalization;
using System.IO.Compression;
using System.Text;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

/// <summary><c>camcube camdoop</c> and <c>hadoop jar</c> against a real host, with programs that nobody here
/// wrote.</summary>
public sealed class CamdoopTests : IDisposable
{
    private const int Servers = 3;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-camdoop-");
    private readonly int _port = HostProcess.FreePorts(3 * Servers);

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Words_are_counted_by_coreutils_as_one_machine_does_and_what_fails_leaves_nothing()
    {
        await using HostProcess host = await StartAsync();
        var random = new Random(1);
        string[] words = [.. Enumerable.Range(0, 200_000).Select(_ => $"w{random.Next(1, 70) * random.Next(1, 70)}")];
        for (int file = 0; file < 4; file++)
        {
            string text = string.Join(' ', words[(file * 50_000)..((file + 1) * 50_000)]).Replace(" w1", "\nw1");
            string path = Path.Combine(_folder.FullName, $"{file}.txt");
            string name = file == 3 ? "3.txt.gz" : $"{file}.txt";
            await using (Stream to = File.Create(path))
            await using (Stream packed = file == 3 ? new GZipStream(to, CompressionLevel.Fastest) : to)
            {
                await packed.WriteAsync(Encoding.UTF8.GetBytes(text + "\n"), TestContext.Current.CancellationToken);
            }

            Assert.Equal(0, (await RunAsync(host, "hadoop", "fs", "-put", path, $"hdfs:///in/{name}")).ExitCode);
        }

        // As mrjob says it, with a combiner, files by other names, and an archive.
        string tools = _folder.CreateSubdirectory("tools").FullName;
        string sum = Path.Combine(tools, "sum.awk");
        const string Awk =
            "{ if ($1 != w && NR > 1) { print w \"\\t\" n; n = 0 } w = $1; n += $2 } "
            + "END { if (NR) print w \"\\t\" n }\n";
        await File.WriteAllTextAsync(sum, Awk, TestContext.Current.CancellationToken);
        string archive = Path.Combine(_folder.FullName, "tools.zip");
        await ZipFile.CreateFromDirectoryAsync(tools, archive, TestContext.Current.CancellationToken);
        ToolRun run = await RunAsync(
            host,
            "hadoop",
            "jar",
            "/x/hadoop-streaming.jar",
            "-D",
            "mapreduce.job.reduces=3",
            "-files",
            $"{sum}#add.awk",
            "-archives",
            $"{archive}#tools",
            "-input",
            "hdfs:///in",
            "-output",
            "hdfs:///out",
            "-mapper",
            "/bin/sh -c 'echo reporter:counter:mine,maps,1 >&2; tr -s \" \" \"\\n\" | sed \"s/$/\\t1/\"'",
            "-combiner",
            "awk -F '\\t' -f add.awk",
            "-reducer",
            "awk -F '\\t' -f tools/sum.awk"
        );
        Assert.True(run.ExitCode == 0, run.Error);
        Assert.Contains("Running job: job_", run.Error, StringComparison.Ordinal);
        Assert.Contains("map 100% reduce 100%", run.Error, StringComparison.Ordinal);
        Assert.Contains("\t\tmaps=4\n", run.Error, StringComparison.Ordinal);
        Assert.Contains("Output directory: hdfs:///out", run.Error, StringComparison.Ordinal);
        var output = new StringBuilder();
        for (int part = 0; part < 3; part++)
        {
            output.Append((await RunAsync(host, "hadoop", "fs", "-cat", $"hdfs:///out/part-0000{part}")).Output);
        }

        string[] expected =
        [
            .. words
                .CountBy(static word => word)
                .Select(static c => string.Create(CultureInfo.InvariantCulture, $"{c.Key}\t{c.Value}"))
                .Order(StringComparer.Ordinal),
        ];
        string[] given = output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(expected, given.Order(StringComparer.Ordinal));

        // The same output again; a program that is not there; one that fails, with what it said.
        (string Output, string Mapper, string Says)[] wrong =
        [
            ("/out", "cat", "Output directory hdfs:///out already exists"),
            ("/no1", "no-such-program", "no-such-program"),
            ("/no2", "/bin/sh -c 'echo it is so >&2; exit 3'", "it is so"),
        ];
        foreach ((string to, string mapper, string says) in wrong)
        {
            run = await RunAsync(host, "camdoop", "-input", "/in", "-output", to, "-mapper", mapper, "-reducer", "cat");
            Assert.Equal(1, run.ExitCode);
            Assert.Contains(says, run.Error, StringComparison.Ordinal);
        }

        Assert.Equal(1, (await RunAsync(host, "hadoop", "fs", "-ls", "hdfs:///no2")).ExitCode);
        run = await RunAsync(host, "hadoop", "fs", "-ls", "hdfs:///out");
        Assert.Contains("Found 4 items", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Words_are_counted_by_functions_in_CSharp_at_every_server_on_the_way()
    {
        await using HostProcess host = await StartAsync();
        var random = new Random(2);
        string[] words = [.. Enumerable.Range(0, 100_000).Select(_ => $"w{random.Next(1, 70) * random.Next(1, 70)}")];
        for (int file = 0; file < 4; file++)
        {
            string text = string.Join(' ', words[(file * 25_000)..((file + 1) * 25_000)]).Replace(" w1", "\nw1");
            string path = Path.Combine(_folder.FullName, $"{file}.txt");
            await File.WriteAllTextAsync(path, text + "\n", TestContext.Current.CancellationToken);
            Assert.Equal(0, (await RunAsync(host, "hadoop", "fs", "-put", path, $"hdfs:///in/{file}.txt")).ExitCode);
        }

        string jobs = BuiltPrograms.Find("Jobs");
        string[] count =
        [
            .. (string[])["camdoop", "-assembly", jobs, "-input", "/in", "-mapper-type", "Jobs.WordCount+Words"],
            .. (string[])["-combiner-type", "Jobs.WordCount+Sum", "-reducer-type", "Jobs.WordCount+Sum"],
        ];
        ToolRun run = await RunAsync(host, [.. count, "-output", "/out", "-numReduceTasks", "2"]);
        Assert.True(run.ExitCode == 0, run.Error);
        string output =
            (await RunAsync(host, "files", "cat", "/out/part-00000")).Output
            + (await RunAsync(host, "files", "cat", "/out/part-00001")).Output;
        string[] expected =
        [
            .. words
                .CountBy(static word => word)
                .Select(static c => string.Create(CultureInfo.InvariantCulture, $"{c.Key}\t{c.Value}"))
                .Order(StringComparer.Ordinal),
        ];
        string[] given = output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(expected, given.Order(StringComparer.Ordinal));

        // One pair of a word came to a reduce, from all servers.
        Assert.Contains($"Reduce input records={expected.Length}\n", run.Error, StringComparison.Ordinal);
        string[] wrong = ["camdoop", "-assembly", jobs, "-input", "/in", "-output", "/no", "-mapper-type", "Jobs.No"];
        run = await RunAsync(host, wrong);
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("Jobs.dll has no type Jobs.No", run.Error, StringComparison.Ordinal);
    }

    private static Task<ToolRun> RunAsync(HostProcess host, params string[] arguments) =>
        ToolRun.With(
            new Dictionary<string, string> { ["CAMCUBE_HOST"] = $"http://127.0.0.1:{host.HttpPort}" },
            arguments
        );

    private Task<HostProcess> StartAsync() =>
        HostProcess.StartAsync(
            0,
            0,
            $"--Shape={Servers}x1x1",
            "--Services:kv:Enabled=true",
            "--Services:files:Enabled=true",
            "--Services:camdoop:Enabled=true",
            "--Services:camdoop:Programs=true",
            "--Services:camdoop:Assemblies=true",
            $"--DataFolder={Path.Combine(_folder.FullName, "data")}",
            $"--FrontEnds:kv-http:Port={_port}",
            $"--FrontEnds:files:Port={_port + Servers}",
            $"--FrontEnds:camdoop:Port={_port + (2 * Servers)}"
        );
}
