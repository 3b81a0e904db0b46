namespace CamCube.Services.Diagnostics;

/// <summary>Asks every server of the cube for its summary, through the torus. Loop only.</summary>
internal sealed class SummaryRound(IServer server, Func<Coordinate, TimeSpan, ValueTask<ServerSummary?>> ask)
{
    /// <summary>Questions open at once.</summary>
    private const int Width = 32;

    /// <summary>Times a server is asked before it counts as unreachable: a packet may be lost.</summary>
    private const int Attempts = 3;

    private readonly ServerSummary?[] _answers = new ServerSummary?[server.Shape.Count];
    private int _next;

    /// <summary>The summaries by rank; null = unreachable.</summary>
    /// <param name="timeout">How long each server gets, over all attempts.</param>
    /// <param name="cancel">Ends when nobody wants them any more.</param>
    /// <exception cref="OperationCanceledException">Nobody wants them.</exception>
    public async ValueTask<IReadOnlyList<ServerSummary?>> RunAsync(TimeSpan timeout, CancellationToken cancel)
    {
        await Task.WhenAll(
            Enumerable.Range(0, Math.Min(Width, _answers.Length)).Select(_ => AskOnAsync(timeout, cancel))
        );
        cancel.ThrowIfCancellationRequested();
        return _answers;
    }

    private async Task AskOnAsync(TimeSpan timeout, CancellationToken cancel)
    {
        while (_next < _answers.Length)
        {
            cancel.ThrowIfCancellationRequested();
            int rank = _next++;
            Coordinate to = server.Shape.At(rank);
            if (to == server.Coordinate)
            {
                _answers[rank] = server.Summarise();
                continue;
            }

            for (
                int attempt = 0;
                attempt < Attempts && _answers[rank] is null && server.Topology.IsReachable(to);
                attempt++
            )
            {
                _answers[rank] = await ask(to, timeout / Attempts);
            }
        }
    }
}
