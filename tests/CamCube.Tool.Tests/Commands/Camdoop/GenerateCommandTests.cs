using System.Text.Json;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Tests.Commands.Camdoop;

/// <summary><c>camcube camdoop generate</c>, as it is called.</summary>
public sealed class GenerateCommandTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-generate-").FullName;

    [Theory]
    [InlineData("sort", 60, 6_000)]
    [InlineData("strings", 0, 0)]
    [InlineData("text", 0, 0)]
    public async Task Each_kind_is_written_and_said_in_JSON(string kind, long keys, long bytes)
    {
        (int code, string said, _) = await RunAsync(kind, "--files", "3", "--size", "6000", "--json");

        Assert.Equal(ExitCode.Ok, code);
        JsonElement data = JsonDocument.Parse(said).RootElement;
        Assert.Equal(kind, data.GetProperty("kind").GetString());
        Assert.Equal(3, data.GetProperty("files").GetArrayLength());
        long written = Directory.GetFiles(_folder, "part-*").Sum(static f => new FileInfo(f).Length);
        Assert.Equal(written, data.GetProperty("bytes").GetInt64());
        Assert.True(File.Exists(Path.Combine(_folder, "_generated.json")));
        if (keys > 0)
        {
            Assert.Equal((keys, bytes), (data.GetProperty("keys").GetInt64(), written));
        }
    }

    [Fact]
    public async Task Nothing_is_written_over()
    {
        Assert.Equal(ExitCode.Ok, (await RunAsync("sort", "--files", "1", "--size", "1kB")).Code);
        (int code, _, string error) = await RunAsync("sort", "--files", "1", "--size", "2kB");

        Assert.Equal(ExitCode.Failed, code);
        Assert.Contains("already exists", error);
        Assert.Equal(1_000, new FileInfo(Path.Combine(_folder, "part-0000.txt")).Length);
    }

    [Theory]
    [InlineData("strings", "--share", "0")]
    [InlineData("text", "--share", "1.1")]
    [InlineData("sort", "--share", "0.5")]
    [InlineData("sort", "--files", "0")]
    [InlineData("sort", "--size", "-1")]
    [InlineData("sort", "--host", "http://127.0.0.1:1")]
    public async Task Wrong_use_is_said_and_nothing_is_written(params string[] wrong)
    {
        (int code, _, string error) = await RunAsync(wrong);

        Assert.Equal(ExitCode.Usage, code);
        Assert.NotEqual("", error);
        Assert.Empty(Directory.GetFiles(_folder));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private async Task<(int Code, string Output, string Error)> RunAsync(params string[] arguments)
    {
        var output = new StringWriter();
        var error = new StringWriter();
        int code = await CamCubeCommandLine.RunAsync(
            ["camdoop", "generate", .. arguments, "--out", _folder],
            output,
            error
        );
        return (code, output.ToString(), error.ToString());
    }
}
