using System.Diagnostics;

namespace CamCube.Tool.Output;

/// <summary>One line on standard error that says how far a swarm run is. Silent when that is no terminal.</summary>
internal sealed class SwarmProgress(TextWriter error, int planned)
{
    private readonly bool _isTerminal = ReferenceEquals(error, Console.Error) && !Console.IsErrorRedirected;
    private readonly Stopwatch _watch = Stopwatch.StartNew();
    private bool _shown;

    /// <summary>So many runs have ended.</summary>
    public void Report(int runs, int failed)
    {
        if (_isTerminal)
        {
            _shown = true;
            TimeSpan left = runs == 0 ? TimeSpan.Zero : _watch.Elapsed * ((double)(planned - runs) / runs);
            error.Write(
                FormattableString.Invariant(
                    $"\r{runs} of {planned} seeds, {failed} failed, about {left.TotalMinutes:F1} min left  "
                )
            );
        }
    }

    /// <summary>Wipes the line.</summary>
    public void End()
    {
        if (_shown)
        {
            _shown = false;
            error.Write("\r" + new string(' ', 70) + "\r");
        }
    }
}
