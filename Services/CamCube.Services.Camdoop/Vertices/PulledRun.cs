using System.Buffers;
using CamCube.Services.Camdoop.Wire;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Vertices;

/// <summary>Records of another vertex or map task, pulled. The next record is copied out of its stream, so that it
/// stays when that breaks off and begins again behind it. Loop only.</summary>
internal sealed class PulledRun : IRecordRun, IPullSink<PairPull>
{
    private readonly int _task;
    private readonly Action _more;
    private readonly Action<string> _onFailed;
    private readonly byte[] _start;
    private RecordReader<PairPull>? _reader;
    private PullInput<PairPull>? _pull;
    private byte[] _head = [];
    private int _keyLength;
    private int _length = -1;

    private PulledRun(int task, ReadOnlySpan<byte> start, Action more, Action<string> onFailed) =>
        (_task, _start, _more, _onFailed) = (task, start.ToArray(), more, onFailed);

    /// <inheritdoc/>
    public bool IsOver => _length < 0 && _reader is { IsWhole: true, Wrong: null };

    /// <summary>Begins to pull.</summary>
    /// <param name="pull">Opens the pull.</param>
    /// <param name="task">As <see cref="PairPull.Task"/>.</param>
    /// <param name="mostRecord">Bytes of the longest record.</param>
    /// <param name="combines">There is one record of each key.</param>
    /// <param name="start">The key from which on.</param>
    /// <param name="more">Told when there is a record that was not, or it is over.</param>
    /// <param name="onFailed">Told in words that none will come.</param>
    public static PulledRun Begin(
        Func<IPullSink<PairPull>, PullInput<PairPull>> pull,
        int task,
        int mostRecord,
        bool combines,
        ReadOnlySpan<byte> start,
        Action more,
        Action<string> onFailed
    )
    {
        var run = new PulledRun(task, start, more, onFailed);
        run._pull = pull(run);
        run._reader = new RecordReader<PairPull>(run._pull, mostRecord, combines, start);
        return run;
    }

    /// <inheritdoc/>
    public bool TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
    {
        if (_length < 0 && !TryCopy())
        {
            key = value = default;
            return false;
        }

        key = _head.AsSpan(0, _keyLength);
        value = _head.AsSpan(_keyLength, _length - _keyLength);
        return true;
    }

    /// <inheritdoc/>
    public void Take() => _length = -1;

    /// <inheritdoc/>
    public void Dispose()
    {
        _pull?.Dispose();
        if (_head.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_head);
            (_head, _length) = ([], -1);
        }
    }

    PairPull IPullSink<PairPull>.From(PullInput<PairPull> input)
    {
        _reader?.Restart();
        return new PairPull(_task, _reader?.Position ?? new MergePosition(_start, 0));
    }

    void IPullSink<PairPull>.OnReadable(PullInput<PairPull> input) => _more();

    bool IPullSink<PairPull>.OnRefused(PullInput<PairPull> input, PullRefusal why)
    {
        // Of what has failed elsewhere the job hears from there.
        if (why is PullRefusal.Unknown or PullRefusal.NoRoom or PullRefusal.Failed)
        {
            return true;
        }

        _onFailed($"{input.Vertex.At} does not give its pairs: {why}");
        return false;
    }

    private bool TryCopy()
    {
        if (_reader is null || !_reader.TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value))
        {
            LookForWrong();
            return false;
        }

        int length = key.Length + value.Length;
        if (_head.Length < length)
        {
            if (_head.Length > 0)
            {
                ArrayPool<byte>.Shared.Return(_head);
            }

            _head = ArrayPool<byte>.Shared.Rent(length);
        }

        key.CopyTo(_head);
        value.CopyTo(_head.AsSpan(key.Length));
        (_keyLength, _length) = (key.Length, length);
        _reader.Take(key, value);
        return !LookForWrong();
    }

    private bool LookForWrong()
    {
        if (_reader?.Wrong is not { } wrong)
        {
            return false;
        }

        _length = -1;
        _onFailed($"{_pull!.Vertex.At}: {wrong}");
        return true;
    }
}
