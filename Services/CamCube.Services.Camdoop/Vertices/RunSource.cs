using CamCube.Trees;

namespace CamCube.Services.Camdoop.Vertices;

/// <summary>Answers a pull with a run of this server alone: the pairs of one map task. Loop only.</summary>
internal sealed class RunSource : IPullSource
{
    private readonly PullOutput _output;
    private readonly byte[] _start;
    private readonly IRecordRun _run;
    private long _toSkip;
    private byte[] _record = [];
    private int _length;
    private int _written;
    private bool _hasLeft;

    private RunSource(PullOutput output, MergePosition position, Func<Action, IRecordRun> open)
    {
        (_output, _start, _toSkip) = (output, position.Key.ToArray(), position.Taken);
        _run = open(Work);
    }

    /// <summary>Begins to answer.</summary>
    /// <param name="output">Where to.</param>
    /// <param name="position">From where on.</param>
    /// <param name="open">Opens the run, at or before that.</param>
    public static RunSource Begin(PullOutput output, MergePosition position, Func<Action, IRecordRun> open) =>
        new(output, position, open);

    void IPullSource.OnWritable() => Work();

    void IPullSource.OnLeft()
    {
        _hasLeft = true;
        _run.Dispose();
    }

    private void Work()
    {
        while (!_hasLeft && Flush())
        {
            if (!_run.TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value))
            {
                if (_run.IsOver)
                {
                    _output.Complete();
                }

                return;
            }

            if (_toSkip > 0 && key.SequenceEqual(_start))
            {
                _toSkip--;
            }
            else
            {
                _toSkip = 0;
                int length = RecordFormat.LengthOf(key.Length, value.Length);
                if (_record.Length < length)
                {
                    _record = new byte[Math.Max(256, 2 * length)];
                }

                (_length, _written) = (RecordFormat.Write(_record, key, value), 0);
            }

            _run.Take();
        }
    }

    private bool Flush()
    {
        _written += _output.Write(_record.AsSpan(_written, _length - _written));
        return _written == _length && _output.IsOpen;
    }
}
