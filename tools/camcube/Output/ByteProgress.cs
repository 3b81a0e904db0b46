using System.Diagnostics;
using System.Globalization;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Output;

/// <summary>One line on standard error that says how far a long value is. Silent when that is no terminal.</summary>
/// <param name="error">Standard error.</param>
internal sealed class ByteProgress(TextWriter error) : IDisposable
{
    private const int Width = 60;
    private const double Pause = 0.2;
    private readonly bool _isTerminal = ReferenceEquals(error, Console.Error) && !Console.IsErrorRedirected;
    private readonly long _began = Stopwatch.GetTimestamp();
    private double _shown;

    /// <summary>The line.</summary>
    public static string Of(long bytes, double seconds)
    {
        string rate = StreamText.Rate(seconds > 0 ? bytes * 8 / seconds : 0);
        return string.Create(CultureInfo.InvariantCulture, $"{new ByteCount(bytes)} in {seconds:F1} s: {rate}");
    }

    /// <summary>So many bytes were moved.</summary>
    public void Show(long bytes)
    {
        double seconds = Stopwatch.GetElapsedTime(_began).TotalSeconds;
        if (_isTerminal && seconds - _shown > Pause)
        {
            _shown = seconds;
            error.Write("\r" + Of(bytes, seconds).PadRight(Width));
        }
    }

    /// <summary>Wipes the line.</summary>
    public void Dispose()
    {
        if (_shown > 0)
        {
            error.Write("\r" + new string(' ', Width) + "\r");
        }
    }
}
