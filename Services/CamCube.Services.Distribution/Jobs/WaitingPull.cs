using CamCube.Services.Distribution.Wire;
using CamCube.Trees;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>A pull of a job of which this server is just being told, or whose file it is just opening: answered once
/// that is known, so that nobody has to ask twice. Loop only.</summary>
/// <param name="output">Who pulls.</param>
/// <param name="vertex">What.</param>
/// <param name="request">Which pieces.</param>
internal sealed class WaitingPull(PullOutput output, VertexId vertex, PieceRequest request) : IPullSource
{
    private IPullSource? _source;
    private bool _hasLeft;

    /// <summary>Answers it.</summary>
    /// <param name="job">The job; null: it is not known here.</param>
    public void Settle(Job? job)
    {
        if (_hasLeft)
        {
            return;
        }

        PullRefusal why = job?.OnPull(output, vertex, request, out _source) ?? PullRefusal.Unknown;
        if (_source is { } source)
        {
            source.OnWritable();
        }
        else
        {
            output.Abort(why);
        }
    }

    /// <inheritdoc/>
    public void OnWritable() => _source?.OnWritable();

    /// <inheritdoc/>
    public void OnLeft()
    {
        _hasLeft = true;
        _source?.OnLeft();
    }
}
