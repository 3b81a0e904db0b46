using CamCube.Tool.Output;
using CamCube.Tool.Syntax;
using Spectre.Console;

namespace CamCube.Tool.Tests.Output;

/// <summary>Tables on terminals of all widths and without one: nothing of them is ever cut away.</summary>
public sealed class ReportTests
{
    private static readonly string[] Pieces =
    [
        "a",
        "1,234,567",
        "+x",
        "0,1,2",
        "camcube-15-15-15",
        "a line of several words that says what is wrong",
        new('w', 90),
    ];

    [Theory]
    [InlineData(20)]
    [InlineData(80)]
    [InlineData(120)]
    [InlineData(200)]
    [InlineData(0)]
    public void Every_cell_is_there_whole_and_the_first_of_a_row_on_one_line(int width)
    {
        var random = new Random(7);
        for (int round = 0; round < 200; round++)
        {
            string[] columns =
            [
                .. Enumerable
                    .Range(0, 1 + random.Next(9))
                    .Select(i => (i > 0 && random.Next(2) == 0 ? ">" : "") + $"column {(char)('A' + i)}"),
            ];
            Table table = Report.Table(columns);
            var rows = new List<string[]>();
            for (int i = random.Next(5); i >= 0; i--)
            {
                string[] cells =
                [
                    .. columns.Select(
                        (_, c) =>
                            c == 0
                                ? $"row-{rows.Count}-of-table-{round}"
                                : Pieces[random.Next(columns[c][0] == '>' ? 5 : Pieces.Length)]
                    ),
                ];
                rows.Add(cells);
                Report.Row(table, cells);
            }

            using var output = new StringWriter();
            Report report = width == 0 ? new Report(output) : new Report(output, width);
            report.Print(table);
            string text = output.ToString();
            string[] lines = text.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
            for (int row = 0; row < rows.Count; row++)
            {
                // A row is the lines from its first cell to that of the next.
                int from = Array.FindIndex(
                        lines,
                        line => line.StartsWith($"| {rows[row][0]} ", StringComparison.Ordinal)
                    ),
                    to = from + 1;
                Assert.True(from >= 0, $"{rows[row][0]} is not on one line:\n{text}");
                while (to < lines.Length && lines[to].StartsWith("|  ", StringComparison.Ordinal))
                {
                    to++;
                }

                string[][] parts = [.. lines[from..to].Select(line => line.Trim('|').Split('|'))];
                for (int c = 0; c < columns.Length; c++)
                {
                    Assert.Equal(Packed(rows[row][c]), Packed(string.Concat(parts.Select(part => part[c]))));
                }
            }

            if (width >= 80 && columns.Length <= 3)
            {
                Assert.True(lines.Max(line => line.Length) <= width, text);
            }
        }
    }

    [Fact]
    public async Task The_list_of_figures_has_their_names_in_a_pipe()
    {
        using var output = new StringWriter();
        Assert.Equal(0, await CamCubeCommandLine.RunAsync(["experiment", "--list"], output, TextWriter.Null));
        foreach (string name in (string[])["fig4", "fig5a", "routing-fig1", "topology-numbers", "keyspace-balance"])
        {
            Assert.Contains(name, output.ToString(), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void All_tables_of_the_tool_are_made_and_printed_here()
    {
        string folder = Path.Combine(Repository.Root, "tools", "camcube");
        string[] others =
        [
            .. Directory
                .EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
                .Where(file =>
                    Path.GetFileName(file) != "Report.cs"
                    && !file.Contains($"{Path.DirectorySeparatorChar}obj{Path.DirectorySeparatorChar}")
                )
                .Where(file =>
                    File.ReadAllText(file) is var text
                    && (text.Contains("new Table(") || text.Contains("AnsiConsole") || text.Contains("new Grid("))
                ),
        ];
        Assert.Empty(others);
    }

    private static string Packed(string text) => text.Replace(" ", "", StringComparison.Ordinal);
}
