using System.Diagnostics;

namespace CamCube.Tool.Output;

/// <summary>One line on standard error that says how far something is. Silent when that is no terminal.</summary>
/// <param name="error">Standard error.</param>
internal sealed class ProgressLine(TextWriter error) : IDisposable
{
    private const int Width = 79;
    private const double Pause = 0.2;
    private readonly bool _isTerminal = ReferenceEquals(error, Console.Error) && !Console.IsErrorRedirected;
    private readonly long _began = Stopwatch.GetTimestamp();
    private double _shown;

    /// <summary>It is so far now.</summary>
    public void Show(Func<string> words)
    {
        double seconds = Stopwatch.GetElapsedTime(_began).TotalSeconds;
        if (_isTerminal && seconds - _shown > Pause)
        {
            string text = words();
            _shown = seconds;
            error.Write("\r" + (text.Length > Width ? text[..Width] : text.PadRight(Width)));
        }
    }

    /// <summary>Wipes the line, so that others can be written.</summary>
    public void Dispose()
    {
        if (_shown > 0)
        {
            _shown = 0;
            error.Write("\r" + new string(' ', Width) + "\r");
        }
    }
}
