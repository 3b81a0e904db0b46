using CamCube.Services.Camdoop;
using CamCube.Tool.Commands.Camdoop;
using CamCube.Tool.Commands.Camdoop.Streaming;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Tests.Commands.Camdoop;

public sealed class StreamingRunTests : IDisposable
{
    private const string Name = "job_1764420000000_0001";
    private const string Staging = "/user/me/.staging/x";
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("camcube-streaming-");
    private readonly List<string> _lines = [];

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Files_are_uploaded_the_job_is_watched_to_its_end_and_they_are_removed()
    {
        var client = new FakeCamdoopClient(
            State(JobPhase.Planning),
            State(JobPhase.Mapping),
            State(JobPhase.Reducing),
            State(JobPhase.Done)
        );
        Assert.Equal(0, await RunAsync(client, "-file", Local("a.py"), "-files", $"{Local("b")}#a,hdfs:///s/t"));
        Assert.Equal($"{Staging}/1/a.py {Staging}/2/a", string.Join(' ', client.Files.Keys));
        Assert.Equal("a.py!", client.Files[$"{Staging}/1/a.py"]);
        Assert.Equal(
            [new("/s/t", "t"), new($"{Staging}/1/a.py", "a.py"), new($"{Staging}/2/a", "a")],
            client.Job!.Files
        );
        Assert.Equal([Staging], client.Removed);
        Assert.Contains($"26/01/02 03:04:05 INFO mapreduce.Job: Running job: {Name}", _lines);
        Assert.Contains("26/01/02 03:04:06 INFO streaming.StreamJob: Output directory: hdfs:///out", _lines);
    }

    [Fact]
    public async Task An_assembly_is_uploaded_with_the_job_and_removed()
    {
        var client = new FakeCamdoopClient(State(JobPhase.Planning), State(JobPhase.Done));
        string[] types = ["-assembly", Local("Shop.dll"), "-mapper-type", "Shop.Lines"];
        Assert.Equal(0, await RunAsync(client, types));
        Assert.Equal($"{Staging}/assembly/Shop.dll", client.Job!.Assembly);
        Assert.Equal("Shop.dll!", client.Files[client.Job.Assembly]);
        Assert.Equal(("Shop.Lines", JobFunctionKind.Function), (client.Job.Map.Name, client.Job.Map.Kind));
        Assert.Equal([Staging], client.Removed);
    }

    [Theory]
    [InlineData(JobPhase.Failed)]
    [InlineData(JobPhase.Cancelled)]
    public async Task A_job_that_came_to_nothing_ends_with_1(JobPhase phase)
    {
        var client = new FakeCamdoopClient(State(JobPhase.Planning), State(phase));
        Assert.Equal(1, await RunAsync(client, "-file", Local("a")));
        Assert.Equal("Streaming Command Failed!", _lines[^1]);
        Assert.Equal([Staging], client.Removed);
    }

    [Fact]
    public async Task Servers_that_do_not_answer_for_a_while_end_nothing()
    {
        JobState?[] states = [State(JobPhase.Planning), .. new JobState?[200], State(JobPhase.Done)];
        Assert.Equal(0, await RunAsync(new FakeCamdoopClient(states)));
    }

    [Fact]
    public async Task Nobody_answers_for_long_is_said_and_the_files_of_the_job_stay()
    {
        var client = new FakeCamdoopClient(State(JobPhase.Planning), null);
        var wrong = await Assert.ThrowsAsync<ToolException>(() => RunAsync(client, "-file", Local("a")));
        Assert.Equal(ExitCode.Unavailable, wrong.ExitCode);
        Assert.Empty(client.Removed);
    }

    [Fact]
    public async Task A_job_that_is_refused_leaves_nothing()
    {
        var refusal = new ToolException(ExitCode.Usage, "no.");
        var client = new FakeCamdoopClient(State(JobPhase.Planning)) { Refusal = refusal };
        Assert.Same(refusal, await Assert.ThrowsAsync<ToolException>(() => RunAsync(client, "-file", Local("a"))));
        Assert.Equal([Staging], client.Removed);
    }

    [Fact]
    public async Task A_file_that_is_none_is_said_before_anything_is_uploaded()
    {
        var client = new FakeCamdoopClient(State(JobPhase.Done));
        string none = Path.Combine(_folder.FullName, "none");
        var wrong = await Assert.ThrowsAsync<ToolException>(() => RunAsync(client, "-file", Local("a"), "-file", none));
        Assert.Equal((ExitCode.Usage, $"{none} is not there."), (wrong.ExitCode, wrong.Message));
        wrong = await Assert.ThrowsAsync<ToolException>(() => RunAsync(client, "-file", _folder.FullName));
        Assert.Contains("is a directory", wrong.Message, StringComparison.Ordinal);
        Assert.Empty(client.Files);
        Assert.Null(client.Job);
    }

    private static JobState State(JobPhase phase) => new(Name, phase) { Output = "/out" };

    private string Local(string name)
    {
        string path = Path.Combine(_folder.FullName, name);
        File.WriteAllText(path, name + "!");
        return path;
    }

    private Task<int> RunAsync(FakeCamdoopClient client, params string[] more)
    {
        StreamingJob job = StreamingParser.Parse(["-input", "/in", "-output", "/out", .. more], "/user/me")!;
        var run = new StreamingRun(client, new HastyTime(), _lines.Add);
        return run.RunAsync(job, Staging, TestContext.Current.CancellationToken);
    }
}
