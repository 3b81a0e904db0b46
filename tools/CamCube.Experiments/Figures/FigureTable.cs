using System.Globalization;
using System.Text;

namespace CamCube.Experiments.Figures;

/// <summary>The data of a figure: named columns, with the unit in the name, and rows of texts and numbers. One
/// thread.</summary>
public sealed class FigureTable
{
    private readonly List<string> _columns = [];
    private readonly List<IReadOnlyList<object>> _rows = [];

    /// <summary>Names of the columns, lower case with underscores.</summary>
    public IReadOnlyList<string> Columns => _columns;

    /// <summary>Rows: one text or number per column.</summary>
    public IReadOnlyList<IReadOnlyList<object>> Rows => _rows;

    /// <summary>Names the columns, once.</summary>
    public void SetColumns(params ReadOnlySpan<string> names) => _columns.AddRange(names);

    /// <summary>Adds a row.</summary>
    /// <param name="cells">Strings, int, long or double.</param>
    /// <exception cref="ArgumentException">Not as many cells as columns.</exception>
    public void Add(params ReadOnlySpan<object> cells)
    {
        if (cells.Length != _columns.Count)
        {
            throw new ArgumentException($"A row has {_columns.Count} cells, not {cells.Length}.", nameof(cells));
        }

        _rows.Add(cells.ToArray());
    }

    /// <summary>Comma-separated values with a line of names; numbers in full, with a decimal point.</summary>
    public string ToCsv()
    {
        var text = new StringBuilder();
        text.AppendJoin(',', _columns.Select(Quoted)).Append('\n');
        foreach (IReadOnlyList<object> row in _rows)
        {
            text.AppendJoin(',', row.Select(cell => Quoted(Convert.ToString(cell, CultureInfo.InvariantCulture)!)))
                .Append('\n');
        }

        return text.ToString();
    }

    private static string Quoted(string cell) =>
        cell.AsSpan().ContainsAny(",\"\n") ? '"' + cell.Replace("\"", "\"\"", StringComparison.Ordinal) + '"' : cell;
}
