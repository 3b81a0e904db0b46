namespace CamCube.Services.Camdoop.Lines;

/// <summary>Looks whether lines are pairs that the key-value store can have, before any of them is put. One thread at a
/// time.</summary>
internal sealed class PairCheck
{
    private readonly LineCutter _lines;
    private string? _wrong;

    /// <summary>A check.</summary>
    /// <param name="pair">Cuts a line.</param>
    /// <param name="mostLine">Bytes of the longest line.</param>
    /// <param name="mostValue">Bytes of the longest value.</param>
    public PairCheck(PairLine pair, int mostLine, int mostValue) =>
        _lines = new LineCutter(mostLine, line => _wrong ??= pair.WrongOf(line, mostValue));

    /// <summary>Adds text, cut anywhere.</summary>
    /// <param name="text">The text.</param>
    /// <param name="isLast">No more comes.</param>
    /// <returns>What is wrong so far; null: nothing.</returns>
    public string? Add(ReadOnlySpan<byte> text, bool isLast)
    {
        _lines.Add(text);
        if (isLast)
        {
            _lines.Complete();
        }

        return _wrong ?? _lines.Wrong;
    }
}
