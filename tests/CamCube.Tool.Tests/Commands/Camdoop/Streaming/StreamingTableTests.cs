using CamCube.Tool.Commands.Camdoop.Streaming;

namespace CamCube.Tool.Tests.Commands.Camdoop.Streaming;

/// <summary>One table says what becomes of each option: the parser, the help and docs/streaming.md have it.</summary>
public sealed class StreamingTableTests
{
    private static readonly string Page = Path.Combine(Repository.Root, "docs", "streaming.md");

    [Fact]
    public void The_document_has_the_tables_of_the_parser()
    {
        string text = File.ReadAllText(Page);
        string written = text;
        written = With(written, "options", Rows(StreamingArguments.All, "option"));
        written = With(written, "properties", Rows(StreamingProperties.All, "property"));
        if (Environment.GetEnvironmentVariable("CAMCUBE_DRAW") == "1")
        {
            File.WriteAllText(Page, written);
            return;
        }

        Assert.Equal(written, text);
    }

    [Fact]
    public void No_name_stands_twice_and_each_row_says_something()
    {
        foreach (IReadOnlyList<StreamingOption> all in new[] { StreamingArguments.All, StreamingProperties.All })
        {
            string[] names = [.. all.SelectMany(static option => option.Names)];
            Assert.Equal(names.Distinct(StringComparer.Ordinal), names);
            Assert.All(all, static option => Assert.NotEmpty(option.Does));
            Assert.All(all, static option => Assert.DoesNotContain('|', option.Does));
            Assert.All(
                all,
                static option => Assert.Equal(option.Treatment == StreamingTreatment.Honoured, option.Take is not null)
            );
        }
    }

    [Fact]
    public void The_help_names_each_in_lines_of_a_terminal()
    {
        string[] lines = [.. StreamingHelp.Lines()];
        Assert.All(lines, static line => Assert.InRange(line.Length, 0, 120));
        foreach (StreamingOption option in StreamingArguments.All.Concat(StreamingProperties.All))
        {
            Assert.Contains(lines, line => line.StartsWith($"  {option.Name}", StringComparison.Ordinal));
        }
    }

    private static string Rows(IReadOnlyList<StreamingOption> all, string head) =>
        string.Join(
            '\n',
            [
                $"| {head} | {(head == "option" ? "value" : "old name")} | does |",
                "|---|---|---|",
                .. all.Select(one =>
                    $"| `{one.Name}`{(head == "option" && one.OldName is { } old ? $", `{old}`" : "")} | "
                    + $"{Code(head == "option" ? one.Value : one.OldName)}| {StreamingHelp.WordsOf(one)} |"
                ),
            ]
        );

    private static string Code(string? text) => text is null ? "" : $"`{text}` ";

    private static string With(string page, string name, string rows)
    {
        string begin = $"<!-- {name} -->\n";
        int from = page.IndexOf(begin, StringComparison.Ordinal) + begin.Length,
            to = page.IndexOf($"\n<!-- end of {name} -->", StringComparison.Ordinal);
        Assert.True(from >= begin.Length && to >= from, $"docs/streaming.md has no place for {name}.");
        return page[..from] + rows + page[to..];
    }
}
