using System.IO.Compression;
using System.Text;
using CamCube.SystemTests.Hosts;

namespace CamCube.SystemTests.CommandLine;

/// <summary><c>camcube hadoop fs</c> against a real host, called as mrjob calls it.</summary>
public sealed class HadoopTests : IDisposable
{
    private const int Servers = 3;
    private const string U = "hdfs:///user/me/tmp/mrjob/wc.me.20260101.000000.000000";
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-hadoop-");
    private readonly int _port = HostProcess.FreePorts(2 * Servers);

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task The_version_is_one_that_clients_know()
    {
        ToolRun run = await ToolRun.Of("hadoop", "version");
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Matches(@"^Hadoop 3\.\d+\.\d+\n", run.Output);
    }

    [Theory]
    [InlineData("hadoop jar", "there is no jar that runs here")]
    [InlineData("hadoop jar wordcount.jar -input /a", "wordcount.jar is no jar that runs here")]
    [InlineData("hadoop jar hadoop-streaming.jar -input /a -output", "-output wants PATH behind it")]
    [InlineData("hadoop jar /x/hadoop-streaming-3.3.6.jar -input /a -output /b -mapper org.x.Y", "looks like a Java")]
    [InlineData("camdoop -D x -input /a", "-D 'x': must be a name and a value")]
    [InlineData("camdoop -foo", "-foo is no option of Hadoop Streaming")]
    [InlineData("camdoop --host", "--host is no option of Hadoop Streaming")]
    public async Task A_command_line_that_is_none_is_said_by_name(string arguments, string says)
    {
        ToolRun run = await ToolRun.Of(arguments.Split(' '));
        Assert.Equal(2, run.ExitCode);
        Assert.Contains(says, run.OnlyErrorLine(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("hadoop jar hadoop-streaming.jar -help")]
    [InlineData("camdoop -info")]
    public async Task The_help_of_Streaming_lists_its_options(string arguments)
    {
        ToolRun run = await ToolRun.Of(arguments.Split(' '));
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Contains("  -numReduceTasks N\n", run.Output, StringComparison.Ordinal);
        Assert.Contains("  mapreduce.job.reduces, mapred.reduce.tasks\n", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_calls_of_mrjob_are_answered_as_Hadoop_does()
    {
        await using HostProcess host = await StartAsync();
        await WriteAsync("script.py", "print()\n");
        await WriteAsync("in.txt", "a b a\n");
        Assert.Equal((0, "", ""), await RunAsync(host, "-mkdir", "-p", $"{U}/files/wd"));
        Assert.Equal((0, "", ""), await RunAsync(host, "-put", At("script.py"), $"{U}/files/wd/script.py"));
        Assert.Equal((0, "", ""), await RunAsync(host, "-put", At("in.txt"), $"{U}/files/in.txt"));
        (int code, string output, string error) = await RunAsync(host, "-ls", "-R", U);
        Assert.Equal((0, ""), (code, error));
        string[] lines = output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(4, lines.Length);
        Assert.Matches(
            $@"^drwxr-xr-x   - \S+ \S+ {new string(' ', 9)}0 \d\d\d\d-\d\d-\d\d \d\d:\d\d {U}/files$",
            lines[0]
        );
        Assert.Matches($@"^-rw-r--r--   3 \S+ \S+          6 \d\d\d\d-\d\d-\d\d \d\d:\d\d {U}/files/in.txt$", lines[1]);
        Assert.Equal((0, "a b a\n", ""), await RunAsync(host, "-cat", $"{U}/files/in.txt"));
        (code, output, error) = await RunAsync(host, "-ls", "-R", $"{U}/output");
        Assert.Equal((1, "", $"ls: `{U}/output': No such file or directory\n"), (code, output, error));
        Assert.Equal(
            (0, $"6  18  {U}/files/in.txt\n8  24  {U}/files/wd\n", ""),
            await RunAsync(host, "-du", $"{U}/files")
        );
        Assert.Equal((0, $"Deleted {U}\n", ""), await RunAsync(host, "-rm", "-R", "-f", "-skipTrash", U));
        Assert.Equal((0, "", ""), await RunAsync(host, "-rm", "-R", "-f", "-skipTrash", U));
        Assert.Equal(1, (await RunAsync(host, "-test", "-e", U)).Code);
    }

    [Fact]
    public async Task What_is_in_the_way_or_away_is_said_as_Hadoop_says_it()
    {
        await using HostProcess host = await StartAsync();
        await WriteAsync("one", "1\n");
        await WriteAsync("two", "22\n");
        Directory.CreateDirectory(At("tree/x"));
        await WriteAsync("tree/x/y", "333\n");
        Assert.Equal((0, "", ""), await RunAsync(host, "-mkdir", "/d", "/e"));
        Assert.Equal((1, "", "mkdir: `/d': File exists\n"), await RunAsync(host, "-mkdir", "/d"));
        Assert.Equal((1, "", "mkdir: `/a/b': No such file or directory\n"), await RunAsync(host, "-mkdir", "/a/b"));
        Assert.Equal((0, "", ""), await RunAsync(host, "-put", At("one"), At("two"), At("tree"), "/d"));
        Assert.Equal((1, "", "put: `/d/one': File exists\n"), await RunAsync(host, "-put", At("one"), "/d"));
        Assert.Equal((0, "", ""), await RunAsync(host, "-put", "-f", At("two"), "/d/one"));
        Assert.Equal((0, "22\n22\n333\n", ""), await RunAsync(host, "-cat", "/d/{one,two}", "/d/tree/x/y"));
        Assert.Equal(
            (1, "", $"put: `{At("none")}': No such file or directory\n"),
            await RunAsync(host, "-put", At("none"), "/n")
        );
        Assert.Equal((1, "", "mkdir: `/d/one': Is not a directory\n"), await RunAsync(host, "-mkdir", "-p", "/d/one"));
        Assert.Equal((1, "", "cat: `/d/tree': Is a directory\n"), await RunAsync(host, "-cat", "/d/tree"));
        Assert.Equal((1, "", "rm: `/d': Is a directory\n"), await RunAsync(host, "-rm", "/d"));
        Assert.Equal((1, "", "rm: `/none': No such file or directory\n"), await RunAsync(host, "-rm", "/none"));
        Assert.Equal((1, "", "rm: `/': The root directory stays\n"), await RunAsync(host, "-rm", "-r", "/"));

        // One that fails does not keep the others from it.
        Assert.Equal(
            (1, "22\n", "cat: `/no*': No such file or directory\n"),
            await RunAsync(host, "-cat", "/no*", "/d/one")
        );
        Assert.Equal((0, "", ""), await RunAsync(host, "-touchz", "/e/empty"));
        Assert.Equal((0, "", ""), await RunAsync(host, "-touchz", "/e/empty"));
        Assert.Equal((1, "", "touchz: `/d/one': Not a zero-length file\n"), await RunAsync(host, "-touchz", "/d/one"));
        (string Flag, string Path, int Code)[] tests =
        [
            ("-d", "/d", 0),
            ("-d", "/d/one", 1),
            ("-f", "/d/one", 0),
            ("-f", "/d", 1),
            ("-e", "/none", 1),
            ("-s", "/d/one", 0),
            ("-s", "/e/empty", 1),
            ("-z", "/e/empty", 0),
            ("-z", "/d/one", 1),
        ];
        foreach ((string flag, string path, int expected) in tests)
        {
            Assert.Equal((expected, "", ""), await RunAsync(host, "-test", flag, path));
        }

        Assert.Equal((0, "", ""), await RunAsync(host, "-get", "/d/tree", At("back")));
        Assert.Equal("333\n", await File.ReadAllTextAsync(At("back/x/y"), TestContext.Current.CancellationToken));
        Assert.Equal((0, "", ""), await RunAsync(host, "-copyToLocal", "/d/one", At("back")));
        Assert.Equal(
            (1, "", $"get: `{At("back/one")}': File exists\n"),
            await RunAsync(host, "-get", "/d/one", At("back"))
        );
        Assert.Equal((1, "", "ls: `.': No such file or directory\n"), await RunAsync(host, "-ls"));
        (_, string output, _) = await RunAsync(host, "-ls", "/d");
        Assert.StartsWith("Found 3 items\n", output, StringComparison.Ordinal);
        Assert.Equal((0, "10  30  /d\n", ""), await RunAsync(host, "-du", "-s", "/d"));
        Assert.Equal((255, "", "-mv: Unknown command\n"), await RunAsync(host, "-mv", "/a", "/b"));
        Assert.Equal((255, "", "-ls: Illegal option -Q\n"), await RunAsync(host, "-ls", "-Q", "/"));
        Assert.Equal((255, "", "-put: Not enough arguments: expected 2\n"), await RunAsync(host, "-put", "/a"));
        Assert.Equal((0, "Deleted /d\nDeleted /e\n", ""), await RunAsync(host, "-rm", "-r", "/{d,e}"));
    }

    [Fact]
    public async Task Packed_files_are_shown_as_text()
    {
        await using HostProcess host = await StartAsync();
        string text = string.Concat(Enumerable.Range(0, 200_000).Select(static i => $"line {i}\n"));
        await using (var packed = new GZipStream(File.Create(At("a.gz")), CompressionLevel.Fastest))
        {
            await packed.WriteAsync(Encoding.ASCII.GetBytes(text), TestContext.Current.CancellationToken);
        }

        await WriteAsync("b.gz", "no gzip");
        Assert.Equal((0, "", ""), await RunAsync(host, "-put", At("a.gz"), At("b.gz"), "/"));
        (int code, string output, string error) = await RunAsync(host, "-text", "/a.gz");
        Assert.Equal((0, ""), (code, error));
        Assert.True(text == output, $"{output.Length} characters of {text.Length}");
        Assert.Equal((1, "", "text: `/b.gz': Not in gzip format\n"), await RunAsync(host, "-text", "/b.gz"));
        Assert.Equal((0, "no gzip", ""), await RunAsync(host, "-cat", "/b.gz"));
    }

    private static async Task<(int Code, string Output, string Error)> RunAsync(
        HostProcess host,
        params string[] arguments
    )
    {
        // mrjob gives no options of ours: the host is in the environment.
        var environment = new Dictionary<string, string>
        {
            ["CAMCUBE_HOST"] = $"http://127.0.0.1:{host.HttpPort}",
            ["HADOOP_USER_NAME"] = "me",
        };
        ToolRun run = await ToolRun.With(environment, ["hadoop", "fs", .. arguments]);
        return (run.ExitCode, run.Output, run.Error);
    }

    private string At(string name) => Path.Combine(_folder.FullName, name);

    private Task WriteAsync(string name, string text) =>
        File.WriteAllTextAsync(At(name), text, TestContext.Current.CancellationToken);

    private Task<HostProcess> StartAsync() =>
        HostProcess.StartAsync(
            0,
            0,
            $"--Shape={Servers}x1x1",
            "--Services:kv:Enabled=true",
            "--Services:files:Enabled=true",
            "--Services:files:ChunkBytes=262144",
            $"--DataFolder={At("data")}",
            $"--FrontEnds:kv-http:Port={_port}",
            $"--FrontEnds:files:Port={_port + Servers}"
        );
}
