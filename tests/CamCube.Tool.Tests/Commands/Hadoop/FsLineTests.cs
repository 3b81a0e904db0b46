using CamCube.Tool.Commands.Hadoop;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Tests.Commands.Hadoop;

public sealed class FsLineTests
{
    [Theory]
    [InlineData("-ls", "-ls", "", "")]
    [InlineData("-ls -R -h /a", "-ls", "R h", "/a")]
    [InlineData("-rm -R -f -skipTrash a b", "-rm", "R f skipTrash", "a b")]
    [InlineData("-put - /x", "-put", "", "- /x")]
    [InlineData("-copyFromLocal -f a /x", "-put", "f", "a /x")]
    [InlineData("-copyToLocal /x", "-get", "", "/x")]
    [InlineData("-rm -f -- -odd", "-rm", "f", "-odd")]
    [InlineData("-D a=b -Dc=d -fs hdfs://nn -cat /x", "-cat", "", "/x")]
    [InlineData("-cat /x -y", "-cat", "", "/x -y")]
    public void Options_stand_between_the_command_and_its_paths(string text, string name, string flags, string paths)
    {
        var line = FsLine.Parse(text.Split(' '));
        Assert.Equal(name, line.Command.Name);
        Assert.Equal(flags, string.Join(' ', line.Flags));
        Assert.Equal(paths, string.Join(' ', line.Paths));
    }

    [Theory]
    [InlineData("", "a command is missing")]
    [InlineData("-D", "a command is missing")]
    [InlineData("-fs x", "a command is missing")]
    [InlineData("ls", "ls: Unknown command")]
    [InlineData("-ls -Z", "-ls: Illegal option -Z")]
    [InlineData("-cat", "-cat: Not enough arguments: expected 1")]
    [InlineData("-test -e a b", "-test: Too many arguments: expected 1")]
    public void What_is_no_command_line_is_said(string text, string says)
    {
        string[] arguments = text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        Assert.StartsWith(
            says,
            Assert.Throws<FsUsage>(() => FsLine.Parse(arguments)).Message,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("hdfs:///a", "/a", "/a/b", "hdfs:///a/b")]
    [InlineData("hdfs://nn:9000/a", "/a", "/a/b", "hdfs://nn:9000/a/b")]
    [InlineData("hdfs://nn", "/", "/b", "hdfs://nn/b")]
    [InlineData("hdfs:/a", "/a", "/a/b", "hdfs:/a/b")]
    [InlineData("/a//../c/", "/c", "/c/b", "/c/b")]
    [InlineData("a", "/user/me/a", "/user/me/a/b", "a/b")]
    [InlineData(".", "/user/me", "/user/me/b", "b")]
    [InlineData("../../x", "/x", "/x", "/x")]
    [InlineData("../../../../x", "/x", "/x", "/x")]
    [InlineData("a:b", "/user/me/a:b", "/user/me/a:b", "a:b")]
    [InlineData("/x*/[a-c]", "/x*/[a-c]", "/xy/a", "/xy/a")]
    public void Paths_are_shown_as_they_were_written(string text, string path, string found, string shown)
    {
        var one = FsPath.Of(text, "/user/me");
        Assert.Equal(path, one.Path);
        Assert.Equal(shown, one.Show(found));
    }

    [Theory]
    [InlineData("")]
    [InlineData("s3://bucket/x")]
    [InlineData("file:///x")]
    [InlineData("/a\u0001b")]
    public void What_is_no_path_of_the_store_is_wrong_usage(string text) =>
        Assert.Equal(ExitCode.Usage, Assert.Throws<ToolException>(() => FsPath.Of(text, "/user/me")).ExitCode);
}
