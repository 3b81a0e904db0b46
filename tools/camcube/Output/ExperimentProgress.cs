using System.Diagnostics;

namespace CamCube.Tool.Output;

/// <summary>
/// One line on standard error that says how far a long experiment is. Silent when that is no terminal, and for the
/// first second. Written by the experiment's own thread: a drawing thread would count as the experiment's CPU time.
/// </summary>
internal sealed class ExperimentProgress(TextWriter error, TimeSpan total, CancellationToken cancel)
{
    private readonly bool _isTerminal = ReferenceEquals(error, Console.Error) && !Console.IsErrorRedirected;
    private readonly Stopwatch _watch = Stopwatch.StartNew();
    private TimeSpan _next = TimeSpan.FromSeconds(1);
    private bool _shown;

    /// <summary>Tells how much is done, 0 to 1. Ends the experiment when somebody pressed Ctrl+C.</summary>
    public void Report(double done)
    {
        cancel.ThrowIfCancellationRequested();
        if (_isTerminal && _watch.Elapsed >= _next)
        {
            _next = _watch.Elapsed + TimeSpan.FromMilliseconds(250);
            _shown = true;
            error.Write(
                FormattableString.Invariant(
                    $"\rsimulated {total.TotalMilliseconds * done:F1} of {total.TotalMilliseconds:F1} ms  "
                )
            );
        }
    }

    /// <summary>Wipes the line.</summary>
    public void End()
    {
        if (_shown)
        {
            error.Write("\r" + new string(' ', 60) + "\r");
        }
    }
}
