using CamCube.Tool.Syntax;

namespace CamCube.Tool.Tests.Syntax;

public sealed class RestOfLineTests
{
    [Theory]
    [InlineData("hadoop fs -ls -R /", "hadoop fs -- -ls -R /")]
    [InlineData("--host h hadoop fs --front-end f --at=3 -ls", "--host h hadoop fs --front-end f --at=3 -- -ls")]
    [InlineData("hadoop --json dfs -rm x --host h", "hadoop --json dfs -- -rm x --host h")]
    [InlineData("hadoop jar a.jar -mapper x", "hadoop jar -- a.jar -mapper x")]
    [InlineData("hadoop fs", "hadoop fs")]
    [InlineData("hadoop fs --help", "hadoop fs --help")]
    [InlineData("hadoop fs -ls --help", "hadoop fs -- -ls --help")]
    [InlineData("hadoop", "hadoop")]
    [InlineData("hadoop --help", "hadoop --help")]
    [InlineData("hadoop frobnicate -x", "hadoop frobnicate -x")]
    [InlineData("camdoop -input a", "camdoop -- -input a")]
    [InlineData("camdoop --host h -input a", "camdoop --host h -- -input a")]
    [InlineData("camdoop status -x", "camdoop status -x")]
    [InlineData("camdoop --help", "camdoop --help")]
    [InlineData("camdoop --host", "camdoop -- --host")]
    [InlineData("run --shape 4x4x4", "run -- --shape 4x4x4")]
    [InlineData("run Hello --settings a.json", "run -- Hello --settings a.json")]
    [InlineData("run -- --help", "run -- --help")]
    [InlineData("run --help", "run --help")]
    [InlineData("run", "run")]
    [InlineData("files ls hadoop fs -ls", "files ls hadoop fs -ls")]
    [InlineData("", "")]
    public void The_rest_is_marked_where_another_programs_arguments_begin(string line, string expected) =>
        Assert.Equal(
            expected,
            string.Join(' ', RestOfLine.Mark(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)))
        );
}
