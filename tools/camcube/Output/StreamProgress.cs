using System.Globalization;
using CamCube.Tool.Hosts;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Output;

/// <summary>One line on standard error that says how far streams are. Silent when that is no terminal.</summary>
internal sealed class StreamProgress(TextWriter error)
{
    // What any of its lines has at most.
    private const int Width = 70;
    private bool _shown;

    /// <summary>Whether anybody sees it.</summary>
    public bool IsShown { get; } = ReferenceEquals(error, Console.Error) && !Console.IsErrorRedirected;

    /// <summary>The line.</summary>
    /// <param name="answer">What was sent until now.</param>
    /// <param name="all">Bytes that are to be sent; null: until the time is over.</param>
    public static string Of(StreamProgressAnswer answer, ByteCount? all)
    {
        string of = all is { } goal ? $" of {goal}" : "",
            rate = StreamText.Rate(answer.Seconds > 0 ? answer.Bytes * 8 / answer.Seconds : 0);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{new ByteCount(answer.Bytes)}{of} in {answer.Seconds:F1} s: {rate}"
        );
    }

    /// <summary>So much was sent.</summary>
    public void Report(StreamProgressAnswer answer, ByteCount? all)
    {
        if (IsShown)
        {
            _shown = true;
            error.Write("\r" + Of(answer, all).PadRight(Width));
        }
    }

    /// <summary>Wipes the line.</summary>
    public void End()
    {
        if (_shown)
        {
            _shown = false;
            error.Write("\r" + new string(' ', Width) + "\r");
        }
    }
}
