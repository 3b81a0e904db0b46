namespace CamCube.Trees;

/// <summary>
/// A vertex that folds its children's vectors and its server's own into one, element by element, as they come: what a
/// reduction in the network does at each hop, so that a server sends as much as it has, and never more. It has no state
/// but a block: made when it is pulled, for its one consumer, it pulls its own children from the same position. All of
/// them are taken in step, so a child whose server is lost is pulled again from where the vertex is. The order of the
/// fold is the tree's and not that of arrival: all runs have the same bits, floating point too. Loop only.
/// </summary>
/// <typeparam name="TRequest">What the service says in a pull.</typeparam>
public sealed class FoldingVertex<TRequest> : IPullSource, IPullSink<TRequest>
    where TRequest : IPullRequest<TRequest>
{
    /// <summary>Bytes of the largest element.</summary>
    public const int MostElement = 64;

    // As much as a frame or two: what is folded at once is still in the processor's memory when it is written.
    private const int BlockBytes = 16 << 10;

    private readonly IFoldJob<TRequest> _job;
    private readonly VertexId _vertex;
    private readonly PullOutput _output;
    private readonly PullInput<TRequest>?[] _children;
    private readonly byte[] _block = GC.AllocateUninitializedArray<byte>(BlockBytes);
    private readonly long _length;
    private readonly bool _hasOwn;
    private byte[] _gathered = [];
    private long _position;
    private int _filled;
    private int _written;
    private bool _isWorking;
    private bool _hasLeft;

    private FoldingVertex(
        IFoldJob<TRequest> job,
        in VertexId vertex,
        PullOutput output,
        long position,
        Func<VertexId, PullTerms, IPullSink<TRequest>, PullInput<TRequest>> pull
    )
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(job.ElementBytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(job.ElementBytes, MostElement);
        (_job, _vertex, _output, _position) = (job, vertex, output, position);
        (_length, _hasOwn) = (job.LengthOf(vertex.Tree), job.HasOwn(vertex));

        // From its end on nothing is asked of anybody.
        LinkSet links = position < _length ? job.Plan.Children(vertex.Tree, vertex.At) : LinkSet.None;
        _children = new PullInput<TRequest>?[links.Count];
        int i = 0;
        foreach (Link link in links)
        {
            VertexId child = vertex with { At = job.Plan.Shape.Step(vertex.At, link) };
            _children[i++] = pull(child, job.Terms with { Edge = link }, this);
        }
    }

    /// <summary>Bytes that were folded: where it is.</summary>
    public long Position => _position;

    /// <summary>Whether a vector of this length can be answered from a position on.</summary>
    /// <param name="job">The job.</param>
    /// <param name="tree">The tree.</param>
    /// <param name="position">What was asked for.</param>
    public static bool IsPosition(IFoldJob<TRequest> job, int tree, long position)
    {
        ArgumentNullException.ThrowIfNull(job);
        return position >= 0 && position <= job.LengthOf(tree) && position % job.ElementBytes == 0;
    }

    /// <summary>Makes the vertex for a pull of it.</summary>
    /// <param name="pulls">What its children are pulled by.</param>
    /// <param name="job">What it has to know.</param>
    /// <param name="vertex">The vertex, of one of the plan's trees.</param>
    /// <param name="output">Its consumer.</param>
    /// <param name="position">From where on: <see cref="IsPosition"/>.</param>
    /// <typeparam name="THeader">The service's header.</typeparam>
    public static FoldingVertex<TRequest> Begin<THeader>(
        PullEndpoint<THeader, TRequest> pulls,
        IFoldJob<TRequest> job,
        in VertexId vertex,
        PullOutput output,
        long position
    )
        where THeader : unmanaged, Messaging.IMessageHeader<THeader> =>
        new(job, vertex, output, position, (child, terms, sink) => pulls.Pull(child, terms, sink));

    /// <summary>The server's own vector is there, or more of it.</summary>
    public void Look() => Work();

    /// <inheritdoc/>
    void IPullSource.OnWritable() => Work();

    /// <inheritdoc/>
    void IPullSource.OnLeft() => Leave();

    /// <inheritdoc/>
    TRequest IPullSink<TRequest>.From(PullInput<TRequest> input) => _job.From(input.Vertex, _position);

    /// <inheritdoc/>
    void IPullSink<TRequest>.OnReadable(PullInput<TRequest> input) => Work();

    /// <inheritdoc/>
    bool IPullSink<TRequest>.OnRefused(PullInput<TRequest> input, PullRefusal why)
    {
        if (why is PullRefusal.Unknown or PullRefusal.NoRoom)
        {
            return true;
        }

        Fail(input.Vertex, $"it does not answer: {why}");
        return false;
    }

    private void Work()
    {
        // Not all children are there while it is made.
        if (_isWorking || _hasLeft || Array.IndexOf(_children, null) >= 0)
        {
            return;
        }

        _isWorking = true;
        while (!_hasLeft && Flush() && TryFold()) { }

        _isWorking = false;
    }

    // What was folded last. False: there is no room for the rest of it.
    private bool Flush()
    {
        _written += _output.Write(_block.AsSpan(_written, _filled - _written));
        return _written == _filled && _output.IsOpen;
    }

    // Folds what all have. False: somebody has nothing more now, or that was all.
    private bool TryFold()
    {
        if (_position == _length)
        {
            _output.Complete();
            Leave();
            return false;
        }

        int count = CountOfAll();
        if (count == 0)
        {
            return false;
        }

        Span<byte> sum = _block.AsSpan(0, count);
        int first = 0;
        if (_hasOwn)
        {
            _job.Own(_vertex, _position)[..count].CopyTo(sum);
        }
        else if (_children.Length > 0)
        {
            first = 1;
            _children[0]!.Peek(0, sum);
        }

        for (int i = first; i < _children.Length; i++)
        {
            _job.Fold(sum, Front(_children[i]!, count));
        }

        (_filled, _written, _position) = (count, 0, _position + count);
        foreach (PullInput<TRequest>? child in _children)
        {
            child!.Consume(count);
            if (_hasLeft)
            {
                return false;
            }
        }

        return true;
    }

    // Bytes that all of them have now, whole elements.
    private int CountOfAll()
    {
        long count = Math.Min(BlockBytes, _length - _position);
        if (_hasOwn)
        {
            count = Math.Min(count, _job.Own(_vertex, _position).Length);
        }

        foreach (PullInput<TRequest>? child in _children)
        {
            count = Math.Min(count, child!.Readable);
            if (child.Readable < _job.ElementBytes && child.HasAll)
            {
                Fail(child.Vertex, $"its answer ends {_length - _position} bytes too early");
                return 0;
            }
        }

        if (!_hasOwn && _children.Length == 0)
        {
            Fail(_vertex, "it has no vector, and nobody behind it has one");
            return 0;
        }

        return (int)(count - (count % _job.ElementBytes));
    }

    // In one piece.
    private ReadOnlySpan<byte> Front(PullInput<TRequest> child, int count)
    {
        ReadOnlySpan<byte> piece = child.Peek();
        if (piece.Length >= count)
        {
            return piece[..count];
        }

        if (_gathered.Length == 0)
        {
            _gathered = GC.AllocateUninitializedArray<byte>(BlockBytes);
        }

        child.Peek(0, _gathered.AsSpan(0, count));
        return _gathered.AsSpan(0, count);
    }

    private void Leave()
    {
        _hasLeft = true;
        foreach (PullInput<TRequest>? child in _children)
        {
            child?.Dispose();
        }
    }

    private void Fail(in VertexId vertex, string words)
    {
        _output.Abort(PullRefusal.Malformed);
        _job.Fail(vertex, words);
        Leave();
    }
}
