using System.Text;

namespace CamCube.Workers;

/// <summary>A worker's standard error, line by line, for a log. Long lines are cut, and there is an end to how many a
/// worker may have. One thread.</summary>
/// <param name="name">Who says it.</param>
/// <param name="log">Gets the lines; null: nobody wants them.</param>
internal sealed class ErrorLines(string name, Action<string>? log)
{
    private const int MaxLine = 1_000;
    private const int MaxLines = 100;
    private readonly byte[] _line = new byte[MaxLine];
    private int _length;
    private int _lines;

    /// <summary>More of it came.</summary>
    public void Add(ReadOnlySpan<byte> bytes)
    {
        foreach (byte b in bytes)
        {
            if (b == (byte)'\n')
            {
                Flush();
            }
            else if (_length < MaxLine)
            {
                _line[_length++] = b;
            }
        }
    }

    /// <summary>Tells what came, if there is something, as a line.</summary>
    public void Flush()
    {
        if (_length > 0 && _lines++ < MaxLines)
        {
            log?.Invoke($"{name}: {Printable()}");
        }

        _length = 0;
    }

    private string Printable()
    {
        // A line is somebody else's: what moves a terminal's cursor or begins a line of its own stays out of logs.
        string text = Encoding.UTF8.GetString(_line, 0, _length);
        return string.Create(text.Length, text, static (to, from) => Clean(to, from));
    }

    private static void Clean(Span<char> to, string from)
    {
        for (int i = 0; i < from.Length; i++)
        {
            to[i] = char.IsControl(from[i]) ? '?' : from[i];
        }
    }
}
