using CamCube.Trees;

namespace CamCube.Services.Camdoop.Sketches;

/// <summary>Finds the heaviest keys of a map attempt: of each sorted run, in which a key's pairs are side by side, the
/// exact counts of the 128 heaviest. A key costs a comparison of numbers, and nothing is allocated for it. One thread
/// at a time.</summary>
/// <param name="turn">Turns keys of records back.</param>
internal sealed class KeyCounter(KeyTurner turn)
{
    // A heap with the least on top: keys that come first stay, so that it follows from the run alone.
    private readonly PriorityQueue<int, (long Pairs, int Late)> _heaviest = new(KeySketch.Most + 1);
    private readonly KeySketch _sketch = new();
    private long _pairs;
    private long _rest;
    private int _order;

    /// <summary>What was counted, of all runs.</summary>
    public SketchRecord ToRecord() => _sketch.ToRecord();

    /// <summary>Counts a key of a run.</summary>
    /// <param name="at">Where a record with it is.</param>
    /// <param name="pairs">Pairs that it has in the run.</param>
    public void Add(int at, long pairs)
    {
        _pairs += pairs;
        if (_heaviest.Count < KeySketch.Most)
        {
            _heaviest.Enqueue(at, (pairs, -_order++));
            return;
        }

        _ = _heaviest.TryPeek(out _, out (long Pairs, int Late) least);
        if (pairs <= least.Pairs)
        {
            _rest = Math.Max(_rest, pairs);
            return;
        }

        _rest = Math.Max(_rest, least.Pairs);
        _heaviest.DequeueEnqueue(at, (pairs, -_order++));
    }

    /// <summary>That was the run.</summary>
    /// <param name="records">The records whose places were said.</param>
    public void EndRun(ReadOnlySpan<byte> records)
    {
        while (_heaviest.TryDequeue(out int at, out (long Pairs, int Late) counted))
        {
            ReadOnlySpan<byte> record = records[at..];
            _ = RecordFormat.ReadHead(record, out int keyAt, out int keyLength, out int valueLength);
            ReadOnlySpan<byte> key = record.Slice(keyAt, keyLength);
            ReadOnlySpan<byte> value = record.Slice(keyAt + keyLength, valueLength);
            if (counted.Pairs > _rest)
            {
                _sketch.Add(turn(key, value), counted.Pairs - _rest);
            }
        }

        _sketch.Count(_pairs, _rest);
        _sketch.Prune();
        (_pairs, _rest, _order) = (0, 0, 0);
    }
}
