using System.Globalization;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace CamCube.Tool.Output;

/// <summary>
/// Text and tables: ASCII, no colours. A table is as wide as it needs; on a terminal that is narrower, its columns of
/// text wrap. Nothing is ever cut away, and what a row is about, its first column, is not even broken.
/// </summary>
internal sealed class Report
{
    /// <summary>Wide enough for any table: in a pipe nobody counts.</summary>
    private const int WidthWithoutTerminal = 10_000;

    /// <summary>A column of text is not made narrower than this.</summary>
    private const int LeastText = 12;

    /// <summary>What a column has beside its text: a line and two blanks.</summary>
    private const int Border = 3;

    private static readonly string[] Units = ["B", "KiB", "MiB", "GiB", "TiB"];

    private readonly TextWriter _output;
    private readonly IAnsiConsole _console;
    private readonly int _width;

    /// <summary>A report to a writer.</summary>
    public Report(TextWriter output)
        : this(output, IsTerminal(output) ? Console.WindowWidth : WidthWithoutTerminal) { }

    /// <summary>A report to a writer of so many columns.</summary>
    public Report(TextWriter output, int width)
    {
        (_output, _width) = (output, width);
        _console = AnsiConsole.Create(
            new AnsiConsoleSettings
            {
                Ansi = AnsiSupport.No,
                ColorSystem = ColorSystemSupport.NoColors,
                Interactive = InteractionSupport.No,
                Out = new AnsiConsoleOutput(output),
            }
        );
        _console.Profile.Capabilities.Unicode = false;
    }

    /// <summary>A number with commas.</summary>
    public static string Count(long number) => number.ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>A number with some decimals.</summary>
    public static string Decimal(double number, int decimals) =>
        number.ToString($"F{decimals}", CultureInfo.InvariantCulture);

    /// <summary>"1.5 MiB".</summary>
    public static string Bytes(double bytes)
    {
        int power = 0;
        while (bytes >= 1_024 && power < Units.Length - 1)
        {
            (bytes, power) = (bytes / 1_024, power + 1);
        }

        return $"{Decimal(bytes, power == 0 ? 0 : 1)} {Units[power]}";
    }

    /// <summary>"1 hop", "2 hops".</summary>
    public static string Hops(int hops) => hops == 1 ? "1 hop" : $"{Count(hops)} hops";

    /// <summary>A table of these columns. A name that begins with &gt; is aligned to the right.</summary>
    public static Table Table(params ReadOnlySpan<string> columns)
    {
        var table = new Table().Border(TableBorder.Ascii2);
        foreach (string column in columns)
        {
            bool right = column.StartsWith('>');
            var made = new TableColumn(new Text(column.TrimStart('>'))) { NoWrap = true };
            table.AddColumn(right ? made.RightAligned() : made);
        }

        return table;
    }

    /// <summary>Adds a row; texts are taken as they are.</summary>
    public static void Row(Table table, params ReadOnlySpan<string> cells)
    {
        var row = new List<Text>(cells.Length);
        foreach (string cell in cells)
        {
            row.Add(new Text(cell));
        }

        table.AddRow(row);
    }

    /// <summary>Prints a line.</summary>
    public void Line(string text) => _output.WriteLine(text);

    /// <summary>Prints a table.</summary>
    public void Print(Table table)
    {
        int[] widths =
        [
            .. table.Columns.Select((column, i) => table.Rows.Select(row => row[i]).Append(column.Header).Max(WidthOf)),
        ];
        Fit(table, widths);

        // Where even that is too much, the terminal breaks the lines.
        _console.Profile.Width = Math.Max(_width, widths.Sum(width => width + Border) + 1);
        _console.Write(table);
    }

    private static bool IsTerminal(TextWriter output) =>
        ReferenceEquals(output, Console.Out) && !Console.IsOutputRedirected && Console.WindowWidth > 0;

    private int WidthOf(IRenderable cell) => cell.Measure(RenderOptions.Create(_console), WidthWithoutTerminal).Max;

    // The widest columns of text give way, but for the first.
    private void Fit(Table table, int[] widths)
    {
        for (int over = widths.Sum(width => width + Border) + 1 - _width; over > 0; over--)
        {
            int widest = -1;
            for (int i = 1; i < widths.Length; i++)
            {
                bool isText = table.Columns[i].Alignment is null or Justify.Left;
                widest = isText && widths[i] > LeastText && (widest < 0 || widths[i] > widths[widest]) ? i : widest;
            }

            if (widest < 0)
            {
                return;
            }

            (table.Columns[widest].NoWrap, table.Columns[widest].Width) = (false, --widths[widest]);
        }
    }
}
