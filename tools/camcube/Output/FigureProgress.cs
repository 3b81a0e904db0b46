using System.Diagnostics;

namespace CamCube.Tool.Output;

/// <summary>
/// One line on standard error that says how far a figure is. Silent when that is no terminal, and for the first second.
/// Written by the thread that runs the figure.
/// </summary>
internal sealed class FigureProgress(TextWriter error, string figure, int number, int count)
{
    private const int Width = 78;
    private readonly bool _isTerminal = ReferenceEquals(error, Console.Error) && !Console.IsErrorRedirected;
    private readonly Stopwatch _watch = Stopwatch.StartNew();
    private TimeSpan _next = TimeSpan.FromSeconds(1);
    private bool _shown;

    /// <summary>Tells how much is done, 0 to 1, and what is being done.</summary>
    public void Report(double done, string doing)
    {
        if (!_isTerminal || _watch.Elapsed < _next)
        {
            return;
        }

        _next = _watch.Elapsed + TimeSpan.FromMilliseconds(250);
        _shown = true;
        string line = FormattableString.Invariant(
            $"{number}/{count} {figure} {100 * done, 3:F0} %  {_watch.Elapsed.TotalSeconds:F0} s  {doing}"
        );
        error.Write("\r" + (line.Length > Width ? line[..Width] : line.PadRight(Width)));
    }

    /// <summary>Wipes the line.</summary>
    public void End()
    {
        if (_shown)
        {
            error.Write("\r" + new string(' ', Width) + "\r");
        }
    }
}
