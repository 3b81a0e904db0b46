using CamCube.Trees;

namespace CamCube.Services.Camdoop.Vertices;

/// <summary>A run without the records of the key that it begins at: of a vertex that combines, which has taken them
/// all. Loop only.</summary>
/// <param name="run">The run.</param>
/// <param name="position">Where it begins.</param>
internal sealed class BehindRun(IRecordRun run, MergePosition position) : IRecordRun
{
    private bool _isBehind = position.IsBeginning;

    /// <inheritdoc/>
    public bool IsOver => run.IsOver;

    /// <inheritdoc/>
    public bool TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
    {
        while (run.TryPeek(out key, out value))
        {
            if (_isBehind || !key.SequenceEqual(position.Key.Span))
            {
                _isBehind = true;
                return true;
            }

            run.Take();
        }

        return false;
    }

    /// <inheritdoc/>
    public void Take() => run.Take();

    /// <inheritdoc/>
    public void Dispose() => run.Dispose();
}
