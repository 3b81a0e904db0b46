using System.Text.Json;
using System.Xml.Linq;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Tests.Figures;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Tests.Figures;

public sealed class ExperimentCommandTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();
    private readonly CancellationTokenSource _cancel = new();

    public void Dispose()
    {
        _folder.Dispose();
        _cancel.Dispose();
    }

    [Fact]
    public async Task A_figure_leaves_its_three_files_and_a_table()
    {
        Assert.Equal(0, await RunAsync([new FakeFigure()], "experiment", "fake", "--quick", "--out", _folder["a/b"]));

        Assert.Equal("", _error.ToString());
        Assert.Contains("| one ", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("not made: quick is too small", _output.ToString(), StringComparison.Ordinal);
        Assert.Equal(
            ["fake.csv", "fake.json", "fake.svg"],
            Directory.GetFiles(_folder["a/b"]).Select(file => Path.GetFileName(file)).Order()
        );
        JsonElement json = JsonOf("a/b/fake.json");
        Assert.Equal(1, json.GetProperty("format").GetInt32());
        Assert.Matches(@"^\d+\.\d+\.\d+", json.GetProperty("version").GetString());
        Assert.Equal("quick", json.GetProperty("scale").GetString());
        Assert.False(json.GetProperty("partial").GetBoolean());
        Assert.True(json.GetProperty("passed").GetBoolean());
        JsonElement check = json.GetProperty("checks").EnumerateArray().Last();
        Assert.Equal("passed", check.GetProperty("outcome").GetString());
        Assert.Equal(0.9, check.GetProperty("limit").GetProperty("least").GetDouble());
        string[] csv = File.ReadAllLines(_folder["a/b/fake.csv"]);
        Assert.StartsWith("# camcube ", csv[0], StringComparison.Ordinal);
        Assert.Equal("step,what", csv[1]);
        Assert.Equal("0,\"a, \"\"b\"\"\"", csv[2]);
        Assert.Equal("svg", XDocument.Load(_folder["a/b/fake.svg"]).Root!.Name.LocalName);
    }

    [Fact]
    public async Task Only_the_parts_that_are_named_run_and_all_without_a_name()
    {
        IFigure[] figures = [new FakeFigure(parts: ["first", "second", "third"])];
        Assert.Equal(
            0,
            await RunAsync(figures, "experiment", "fake", "--part", "third", "first", "--out", _folder.Path)
        );
        Assert.Equal(["ran first", "ran third"], Notes());
        Assert.Equal(0, await RunAsync(figures, "experiment", "fake", "--out", _folder.Path));
        Assert.Equal(["ran first", "ran second", "ran third"], Notes());
        IEnumerable<string?> Notes() =>
            JsonOf("fake.json").GetProperty("notes").EnumerateArray().Select(note => note.GetString());
    }

    [Theory]
    [InlineData("whole --part first", "whole has no parts.")]
    [InlineData("fake --part fourth", "'fourth' is no part of fake; there are first, second.")]
    [InlineData("fake whole --part first", "--part is for one figure.")]
    [InlineData("all --part first", "--part is for one figure.")]
    public async Task A_part_that_is_not_there_is_wrong_usage(string arguments, string says)
    {
        IFigure[] figures = [new FakeFigure(parts: ["first", "second"]), new FakeFigure("whole")];
        Assert.Equal(2, await RunAsync(figures, ["experiment", "--out", _folder.Path, .. arguments.Split(' ')]));
        Assert.Contains(says, _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_failed_check_is_exit_code_1_and_is_named()
    {
        IFigure[] figures = [new FakeFigure("good"), new FakeFigure("bad", measured: 2)];
        Assert.Equal(1, await RunAsync(figures, "experiment", "all", "--out", _folder.Path));
        Assert.Contains("failed: bad: one.", _output.ToString(), StringComparison.Ordinal);
        Assert.True(JsonOf("good.json").GetProperty("passed").GetBoolean());
        Assert.False(JsonOf("bad.json").GetProperty("passed").GetBoolean());
    }

    [Fact]
    public async Task A_value_that_is_no_number_fails_and_is_written()
    {
        Assert.Equal(
            1,
            await RunAsync([new FakeFigure(measured: double.NaN)], "experiment", "fake", "--out", _folder.Path)
        );
        Assert.Contains("\"NaN\"", File.ReadAllText(_folder["fake.json"]), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Json_is_one_line_with_all_figures()
    {
        IFigure[] figures = [new FakeFigure("one"), new FakeFigure("two")];
        Assert.Equal(0, await RunAsync(figures, "experiment", "two", "one", "--json", "--out", _folder.Path));
        JsonElement json = JsonSerializer.Deserialize<JsonElement>(
            Assert.Single(_output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries))
        );
        Assert.Equal(["two", "one"], json.EnumerateArray().Select(figure => figure.GetProperty("figure").GetString()));
    }

    [Fact]
    public async Task Cancelled_it_keeps_what_there_is_and_marks_it_as_partial()
    {
        var cancelled = new FakeFigure("second", beforeStep: step => Cancel(step == 4));
        IFigure[] figures = [new FakeFigure("first"), cancelled, new FakeFigure("third")];
        Assert.Equal(130, await RunAsync(figures, "experiment", "all", "--out", _folder.Path));

        string line = Assert.Single(_error.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.Equal($"camcube: cancelled; what there is of second is in {_folder.Path}, marked as partial.", line);
        Assert.False(JsonOf("first.json").GetProperty("partial").GetBoolean());
        Assert.True(JsonOf("second.json").GetProperty("partial").GetBoolean());
        Assert.Equal(4, JsonOf("second.json").GetProperty("table").GetProperty("rows").GetArrayLength());
        Assert.Contains("PARTIAL", File.ReadAllLines(_folder["second.csv"])[0], StringComparison.Ordinal);
        Assert.Contains("Partial:", File.ReadAllText(_folder["second.svg"]), StringComparison.Ordinal);
        Assert.Contains("PARTIAL", _output.ToString(), StringComparison.Ordinal);
        Assert.False(File.Exists(_folder["third.json"]));
    }

    [Fact]
    public async Task What_this_machine_cannot_run_is_left_out_of_all_in_a_line_and_fails_when_named()
    {
        var cannot = new FakeFigure("cannot", beforeStep: _ => Assert.Fail("It ran."), missing: "needs a moon");
        IFigure[] figures = [cannot, new FakeFigure()];
        Assert.Equal(0, await RunAsync(figures, "experiment", "all", "--out", _folder.Path));
        Assert.Equal(["left out: cannot needs a moon."], Errors());
        Assert.Contains("1 figure in", _output.ToString(), StringComparison.Ordinal);
        Assert.True(File.Exists(_folder["fake.json"]));
        Assert.Equal(1, await RunAsync(figures, "experiment", "fake", "cannot", "--out", _folder.Path));
        Assert.Equal("camcube: cannot needs a moon.", Errors()[^1]);
    }

    [Fact]
    public async Task A_folder_that_is_a_file_is_one_line_before_anything_runs()
    {
        File.WriteAllText(_folder["file"], "mine");
        var figure = new FakeFigure(beforeStep: _ => Assert.Fail("It ran."));
        Assert.Equal(2, await RunAsync([figure], "experiment", "fake", "--out", _folder["file"]));
        Assert.Contains("is a file", Assert.Single(Errors()), StringComparison.Ordinal);
        Assert.Equal(2, await RunAsync([figure], "experiment", "fake", "--out", _folder["file/below"]));
        Assert.Equal(2, Errors().Length);
        Assert.Equal("mine", File.ReadAllText(_folder["file"]));
    }

    [Theory]
    [InlineData("experiment", "there are fake")]
    [InlineData("experiment fig9", "'fig9' is no figure; there are fake")]
    [InlineData("experiment fake", "--out DIR")]
    [InlineData("experiment fake --quick --smoke --out x", "exclude each other")]
    [InlineData("experiment fake --out x --detection-time 5", "--detection-time '5' must be a time with its unit")]
    [InlineData("experiment fake --out x --detection-time 5ms", "from 10ms to 60s")]
    [InlineData("experiment fake --out x --seed -1", "must be a whole number")]
    [InlineData("experiment fake --out x --host 127.0.0.1", "experiment runs in this process")]
    public async Task Wrong_usage_is_one_line(string arguments, string says)
    {
        Assert.Equal(2, await RunAsync([new FakeFigure()], arguments.Split(' ')));
        Assert.Contains(says, Assert.Single(Errors()), StringComparison.Ordinal);
        Assert.False(Directory.Exists("x"));
    }

    [Fact]
    public async Task The_list_says_what_each_figure_shows_and_runs_none()
    {
        var figure = new FakeFigure(beforeStep: _ => Assert.Fail("It ran."));
        Assert.Equal(0, await RunAsync([figure], "experiment", "--list"));
        Assert.Contains("Nowhere", _output.ToString(), StringComparison.Ordinal);
    }

    private string[] Errors() => _error.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);

    private JsonElement JsonOf(string name) => JsonSerializer.Deserialize<JsonElement>(File.ReadAllText(_folder[name]));

    private void Cancel(bool now)
    {
        if (now)
        {
            _cancel.Cancel();
        }
    }

    private Task<int> RunAsync(IFigure[] figures, params string[] arguments) =>
        CamCubeCommandLine.RunAsync(arguments, _output, _error, figures, _cancel.Token);
}
