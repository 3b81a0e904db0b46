namespace CamCube.Trees;

/// <summary>
/// A vertex that merges its children's sorted records and its server's own into one sorted sequence, and combines those
/// of one key if the job does (NSDI §4.1). It has no state but what it merges: made when it is pulled, for its one
/// consumer, it pulls its own children from the same position, and is gone with its consumer. A child whose server is
/// lost is pulled again from behind what was taken of it. Its answer depends on the job's input and the tree only, and
/// each consumer takes every record once, so sums are right whoever fails. Loop only.
/// </summary>
/// <typeparam name="TRequest">What the service says in a pull.</typeparam>
public sealed class MergingVertex<TRequest> : IPullSource, IPullSink<TRequest>
    where TRequest : IPullRequest<TRequest>
{
    private const int FirstBytes = 64;
    private readonly IMergeJob<TRequest> _job;
    private readonly VertexId _vertex;
    private readonly PullOutput _output;
    private readonly RecordReader<TRequest>[] _children;
    private readonly IRecordRun _own;
    private readonly byte[] _start;
    private byte[] _record = [];
    private string? _ownWrong;
    private long _toSkip;
    private int _written;
    private int _length;
    private bool _isWorking;
    private bool _hasLeft;
    private byte[] _last = [];
    private int _lastLength;

    // The last key's records become one, and a record of the server's own may yet come to it.
    private bool _isCombining;

    // What they come to, of a vertex that has had something to combine.
    private KeySum? _sum;

    // Of a job that combines off the loop: what is to be, or is being, combined.
    private readonly CombineWindow? _window;
    private bool _isAway;

    private MergingVertex(
        IMergeJob<TRequest> job,
        in VertexId vertex,
        PullOutput output,
        MergePosition position,
        Func<VertexId, PullTerms, IPullSink<TRequest>, PullInput<TRequest>> pull
    )
    {
        (_job, _vertex, _output) = (job, vertex, output);
        _start = position.Key.ToArray();
        _window = job is { Combines: true, CombinesLater: true } ? new CombineWindow(job.MostRecord) : null;
        _toSkip = job.Combines ? 0 : position.Taken;
        SetLast(_start);
        _own = job.Own(vertex, position, Work);
        LinkSet links = job.Plan.Children(vertex.Tree, vertex.At);
        _children = new RecordReader<TRequest>[links.Count];
        int i = 0;
        foreach (Link link in links)
        {
            VertexId child = vertex with { At = job.Plan.Shape.Step(vertex.At, link) };
            PullInput<TRequest> input = pull(child, job.Terms with { Edge = link }, this);
            _children[i++] = new RecordReader<TRequest>(input, job.MostRecord, job.Combines, _start);
        }
    }

    /// <summary>Makes the vertex for a pull of it.</summary>
    /// <param name="pulls">What its children are pulled by.</param>
    /// <param name="job">What it has to know.</param>
    /// <param name="vertex">The vertex, of one of the plan's trees.</param>
    /// <param name="output">Its consumer.</param>
    /// <param name="position">From where on.</param>
    /// <typeparam name="THeader">The service's header.</typeparam>
    public static IPullSource Begin<THeader>(
        PullEndpoint<THeader, TRequest> pulls,
        IMergeJob<TRequest> job,
        in VertexId vertex,
        PullOutput output,
        MergePosition position
    )
        where THeader : unmanaged, Messaging.IMessageHeader<THeader> =>
        new MergingVertex<TRequest>(
            job,
            vertex,
            output,
            position,
            (child, terms, sink) => pulls.Pull(child, terms, sink)
        );

    /// <inheritdoc/>
    void IPullSource.OnWritable() => Work();

    /// <inheritdoc/>
    void IPullSource.OnLeft()
    {
        if (!_hasLeft)
        {
            _hasLeft = true;
            if (!_isAway)
            {
                _window?.Trim();
            }

            _own.Dispose();
            foreach (RecordReader<TRequest> child in _children)
            {
                child?.Pull.Dispose();
            }
        }
    }

    /// <inheritdoc/>
    TRequest IPullSink<TRequest>.From(PullInput<TRequest> input)
    {
        RecordReader<TRequest>? child = Array.Find(_children, c => c?.Pull == input);
        child?.Restart();
        MergePosition position = _job.Combines
            ? new MergePosition(_last.AsMemory(0, _lastLength), 0)
            : child?.Position ?? new MergePosition(_start, 0);
        return _job.From(input.Vertex, position);
    }

    /// <inheritdoc/>
    void IPullSink<TRequest>.OnReadable(PullInput<TRequest> input) => Work();

    /// <inheritdoc/>
    bool IPullSink<TRequest>.OnRefused(PullInput<TRequest> input, PullRefusal why)
    {
        if (why is PullRefusal.Unknown or PullRefusal.NoRoom)
        {
            return true;
        }

        if (why == PullRefusal.Failed)
        {
            // All that could be said here is that it does not answer, and that might be heard before what is wrong.
            _output.Abort(PullRefusal.Failed);
            ((IPullSource)this).OnLeft();
        }
        else
        {
            Fail(input.Vertex, $"it does not answer: {why}");
        }

        return false;
    }

    private void Work()
    {
        // Not all children are there while it is made.
        if (_isWorking || _hasLeft || _isAway || Array.IndexOf(_children, null) >= 0)
        {
            return;
        }

        _isWorking = true;
        while (!_hasLeft && Flush() && (_window is null ? TryMerge() : TryGather(_window))) { }

        _isWorking = false;
    }

    // The record that is under way. False: there is no room for the rest of it.
    private bool Flush()
    {
        if (_window is not null)
        {
            _window.Send(_output.Write(_window.Output));
            return _window.Output.IsEmpty && _output.IsOpen;
        }

        _written += _output.Write(_record.AsSpan(_written, _length - _written));
        return _written == _length && _output.IsOpen;
    }

    // Gathers records, and has them combined when there are enough, or no more now. False: it has to wait.
    private bool TryGather(CombineWindow window)
    {
        if (!window.IsFull && TryMerge())
        {
            return true;
        }

        // What waits for more of its key has nothing to give yet.
        if (_hasLeft || window.IsEmpty || (_isCombining && !window.HasWholeKeys && !window.IsFull))
        {
            if (!_hasLeft && window.IsEmpty)
            {
                window.Trim();
            }

            return false;
        }

        if (!window.NeedsRun)
        {
            window.Complete(isLastWhole: !_isCombining);
            return true;
        }

        _isAway = true;
        _job.CombineLater(window, OnCombined);
        return false;
    }

    private void OnCombined(string? wrong)
    {
        if (_hasLeft)
        {
            return;
        }

        if (wrong is not null)
        {
            // Who did not return may be at it for ever: its memory is not used again.
            Fail(_vertex, wrong);
            return;
        }

        _isAway = false;
        _window!.Complete(isLastWhole: !_isCombining);
        Work();
    }

    // Makes the next record. False: it has to wait for one, or that was all.
    private bool TryMerge()
    {
        if (_isCombining)
        {
            return CombineOwn();
        }

        ReadOnlySpan<byte> least = default;
        ReadOnlySpan<byte> second = default;
        int first = -1;
        int behind = -1;
        for (int i = 0; i <= _children.Length; i++)
        {
            bool isOwn = i == _children.Length;
            if (!TryPeek(i, out ReadOnlySpan<byte> key, out _))
            {
                bool isOver = isOwn
                    ? _ownWrong is null && _own.IsOver
                    : _children[i].IsWhole && _children[i].Wrong is null;
                if (isOver)
                {
                    continue;
                }

                LookFor(i);
                return false;
            }

            if (first < 0 || RecordFormat.Compare(key, least) < 0)
            {
                second = least;
                least = key;
                (behind, first) = (first, i);
            }
            else if (behind < 0 || RecordFormat.Compare(key, second) < 0)
            {
                second = key;
                behind = i;
            }
        }

        if (first < 0)
        {
            if (_window is null or { IsEmpty: true })
            {
                _output.Complete();
            }

            return false;
        }

        return _job.Combines ? Combine(least, first)
            : _toSkip == 0 && first < _children.Length ? PassRun(first, new RecordBound(second, first < behind))
            : Pass(first);
    }

    // All records of the least key become one: its children's, of which each has one, and then the server's own, of
    // which there may be several, and not all here.
    private bool Combine(ReadOnlySpan<byte> least, int first)
    {
        SetLast(least);
        _isCombining = true;
        _sum ??= new KeySum(_job.Combine, _job.MostRecord);
        _sum.Clear();
        for (int i = first; i < _children.Length; i++)
        {
            if (Add(i) == Added.Failed)
            {
                return false;
            }
        }

        return CombineOwn();
    }

    private bool CombineOwn()
    {
        Added added;
        do
        {
            added = Add(_children.Length);
        } while (added == Added.One);

        if (added != Added.None)
        {
            return false;
        }

        if (_window is null)
        {
            SetRecord(_last.AsSpan(0, _lastLength), _sum!.Value);
        }

        _isCombining = false;
        return true;
    }

    // The next record of a child, or of the server's own, comes to the last key's value, if it is of that key.
    private Added Add(int at)
    {
        ReadOnlySpan<byte> key = _last.AsSpan(0, _lastLength);
        if (!TryPeek(at, out ReadOnlySpan<byte> next, out ReadOnlySpan<byte> value))
        {
            bool isLater = at == _children.Length && !_own.IsOver;
            return !LookFor(at) ? Added.Failed
                : isLater ? Added.Later
                : Added.None;
        }

        if (!next.SequenceEqual(key))
        {
            return Added.None;
        }

        if (_window is not null)
        {
            _window.Add(key, value, isNew: _sum!.IsEmpty);
            _sum.Set([]);
        }
        else if (!_sum!.TryAdd(key, value))
        {
            Fail(_vertex, "a value became longer than a record may be");
            return Added.Failed;
        }

        Take(at, next, value);
        return LookFor(at) ? Added.One : Added.Failed;
    }

    private void SetRecord(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        Grow(ref _record, RecordFormat.LengthOf(key.Length, value.Length));
        (_length, _written) = (RecordFormat.Write(_record, key, value), 0);
    }

    // Many vertices, and few of them ever have a long record.
    private static void Grow(ref byte[] bytes, int least)
    {
        if (bytes.Length < least)
        {
            bytes = new byte[Math.Max(FirstBytes, (int)Math.Min(2L * least, Array.MaxLength))];
        }
    }

    // Records of a child go on as they are, so many as come before all others and lie side by side.
    private bool PassRun(int first, in RecordBound end)
    {
        RecordReader<TRequest> child = _children[first];
        RecordRun run = child.PeekRun(end, _output.Writable);
        if (run.Records.IsEmpty)
        {
            return Pass(first);
        }

        int written = _output.Write(run.Records);
        int cut = 0;
        if (written < run.Records.Length)
        {
            // There was no memory for more: the rest of the one that is cut waits.
            run = child.PeekRun(end, written);
            cut = written - run.Records.Length;
        }

        if (!run.Records.IsEmpty)
        {
            SetLast(run.LastKey);
            child.TakeRun(run);
        }

        if (cut == 0)
        {
            return true;
        }

        bool goesOn = Pass(first);
        _written = cut;
        return goesOn;
    }

    // The first record of the least key goes on as it is.
    private bool Pass(int first)
    {
        TryPeek(first, out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value);
        bool isSkipped = _toSkip > 0 && key.SequenceEqual(_start);
        _toSkip = isSkipped ? _toSkip - 1 : 0;
        if (isSkipped)
        {
            (_length, _written) = (0, 0);
        }
        else
        {
            SetRecord(key, value);
        }

        SetLast(key);
        Take(first, key, value);
        return LookFor(first);
    }

    private bool TryPeek(int at, out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
    {
        if (at < _children.Length)
        {
            return _children[at].TryPeek(out key, out value);
        }

        if (!_own.TryPeek(out key, out value))
        {
            return false;
        }

        int length = RecordFormat.LengthOf(key.Length, value.Length);
        _ownWrong =
            key.IsEmpty ? "a record of its own has no key"
            : length > _job.MostRecord ? $"a record of its own has {length} bytes, and may have {_job.MostRecord}"
            : key.SequenceCompareTo(_last.AsSpan(0, _lastLength)) < 0 ? "its records are not in the order of their keys"
            : null;
        return _ownWrong is null;
    }

    private void Take(int at, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        if (at == _children.Length)
        {
            _own.Take();
        }
        else
        {
            _children[at].Take(key, value);
        }
    }

    // False: what came from there cannot be, and the job has failed.
    private bool LookFor(int at)
    {
        if (at == _children.Length && _ownWrong is { } own)
        {
            Fail(_vertex, own);
        }
        else if (at < _children.Length && _children[at].Wrong is { } wrong)
        {
            Fail(_children[at].Pull.Vertex, wrong);
        }

        return !_hasLeft;
    }

    private void Fail(in VertexId vertex, string words)
    {
        _output.Abort(PullRefusal.Failed);
        _job.Fail(vertex, words);
        ((IPullSource)this).OnLeft();
    }

    private void SetLast(ReadOnlySpan<byte> key)
    {
        Grow(ref _last, key.Length);
        key.CopyTo(_last);
        _lastLength = key.Length;
    }

    private enum Added
    {
        One,

        /// <summary>There are no more of this key.</summary>
        None,

        /// <summary>There may be more of it.</summary>
        Later,
        Failed,
    }
}
