using System.Globalization;
using Spectre.Console;

namespace CamCube.Tool.Output;

/// <summary>Text and tables: ASCII, no colours, as wide as the terminal, or 120 columns without one.</summary>
internal sealed class Report
{
    private const int WidthWithoutTerminal = 120;
    private readonly TextWriter _output;
    private readonly IAnsiConsole _console;

    /// <summary>A report to a writer.</summary>
    public Report(TextWriter output)
    {
        _output = output;
        _console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = AnsiSupport.No,
            ColorSystem = ColorSystemSupport.NoColors,
            Interactive = InteractionSupport.No,
            Out = new AnsiConsoleOutput(output),
        });
        _console.Profile.Capabilities.Unicode = false;
        bool terminal = ReferenceEquals(output, Console.Out) && !Console.IsOutputRedirected && Console.WindowWidth > 0;
        _console.Profile.Width = terminal ? Console.WindowWidth : WidthWithoutTerminal;
    }

    /// <summary>A number with commas.</summary>
    public static string Count(long number) => number.ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>A number with some decimals.</summary>
    public static string Decimal(double number, int decimals) =>
        number.ToString($"F{decimals}", CultureInfo.InvariantCulture);

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
    public void Print(Table table) => _console.Write(table);
}
