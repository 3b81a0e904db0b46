using CamCube.Services.Collectives.Wire;
using CamCube.Trees;

namespace CamCube.Services.Collectives.Groups;

/// <summary>
/// The edges of one member in one tree. Each is asked in both directions for as long as the group is open, and all
/// operations follow one another on it: upwards what the member and all below it give, added up; downwards the results.
/// A place on an edge is a number of bytes from the group's beginning. Who takes says from which on, so when a stream
/// ends before its time it is asked for again, from there (NSDI §4.2): upwards children are asked again from the same
/// place on, as the result from there on is not known yet by anybody, so what was given is still where it was;
/// downwards it is in the result, or among the bytes that are kept. Loop only.
/// </summary>
internal sealed class TreeEdges : IPullSink<EdgeRequest>
{
    private const uint Upwards = 0,
        Downwards = 1;

    private readonly Channel _channel;
    private readonly Group _group;
    private readonly byte _tree;
    private readonly TreeLinks _links;
    private readonly ChildEdge[] _children;
    private readonly KeptBytes _kept;
    private readonly byte[] _block;
    private PullInput<EdgeRequest>? _fromParent;
    private EdgeFeed? _toParent;
    private long _upEnd,
        _downEnd;

    // How far children are taken, and of that what waits for the parent.
    private long _folded;
    private int _blockAt,
        _blockLength;

    // What is with a function of a service's own; null: nothing was yet.
    private UserFold? _fold;

    // How far the result is here.
    private long _here;
    private bool _isWorking,
        _isAskedFor;

    public TreeEdges(Channel channel, byte tree, TreeLinks links)
    {
        (_channel, _group, _tree, _links) = (channel, channel.Group, tree, links);
        _children = Array.ConvertAll(links.Children, static link => new ChildEdge(link));
        _kept = new KeptBytes(_children.Length > 0 ? _group.Terms.Kept : 0);
        _block = links.Parent is null || _children.Length == 0 ? [] : new byte[GroupTerms.Block];
    }

    private bool IsRoot => _links.Parent is null;

    // Bytes that were taken from children and are not added up yet.
    private int Ahead => _fold?.Count ?? 0;

    public void Open()
    {
        foreach (ChildEdge child in _children)
        {
            child.Input = Pull(child.Link, Upwards);
        }

        if (_links.Parent is { } parent)
        {
            _fromParent = Pull(parent, Downwards);
        }
    }

    /// <summary>An operation follows all others.</summary>
    public void Add(Operation operation, int tree, int trees)
    {
        operation.Place(tree, trees, _upEnd, _downEnd);
        (_upEnd, _downEnd) = (operation.Up[tree].End, operation.Down[tree].End);
    }

    /// <summary>The result is here, and went on to all children.</summary>
    public bool IsDone(Operation operation)
    {
        long end = operation.Down[_tree].End;
        if (_here < end)
        {
            return false;
        }

        foreach (ChildEdge child in _children)
        {
            if (child.Sent < end)
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>An operation is done: what children may ask for again is kept elsewhere.</summary>
    public void Keep(Operation operation)
    {
        if (_children.Length > 0)
        {
            operation.Keep(_tree, _kept);
        }
    }

    public PullRefusal OnPull(PullOutput output, bool isUp, int from, long position, out IPullSource? source)
    {
        source = null;
        if (isUp && _links.Parent?.Rank == from)
        {
            return ToParent(output, position, out source);
        }

        int child = isUp ? -1 : Array.FindIndex(_children, c => c.Link.Rank == from);
        return child < 0 ? PullRefusal.Malformed : ToChild(output, child, position, out source);
    }

    public void OnWritable(EdgeFeed feed)
    {
        if (feed == (feed.Child < 0 ? _toParent : _children[feed.Child].Feed))
        {
            Work();
            _channel.Finish();
        }
    }

    public void OnLeft(EdgeFeed feed)
    {
        if (feed.Child < 0)
        {
            _toParent = _toParent == feed ? null : _toParent;
        }
        else if (_children[feed.Child].Feed == feed)
        {
            _children[feed.Child].Feed = null;
        }
    }

    /// <summary>Looks whether the head of an operation waits here that is not called yet, and never will be: that of
    /// its number was another one, of another root or length.</summary>
    public void LookAstray()
    {
        foreach (ChildEdge child in _children)
        {
            if (_folded == _upEnd && IsAstray(child.Input!))
            {
                _group.Mismatch(child.Link.Rank);
                return;
            }
        }

        if (_here == _downEnd && _fromParent is { } parent && IsAstray(parent))
        {
            _group.Mismatch(_group.Rank);
        }
    }

    /// <summary>Goes on as far as it can.</summary>
    public void Work()
    {
        _isAskedFor = true;
        if (_isWorking)
        {
            return;
        }

        _isWorking = true;
        while (_isAskedFor && !_group.IsOver)
        {
            _isAskedFor = false;
            while (!_group.IsOver && TryGiveUp()) { }

            while (!_group.IsOver && TryTakeResult()) { }

            for (int child = 0; child < _children.Length && !_group.IsOver; child++)
            {
                while (TryGiveDown(_children[child])) { }
            }
        }

        _isWorking = false;
    }

    /// <summary>All edges end.</summary>
    public void Stop(PullRefusal? word)
    {
        _fromParent?.Dispose();
        _toParent?.End(word);
        _toParent = null;
        foreach (ChildEdge child in _children)
        {
            child.Input?.Dispose();
            child.Feed?.End(word);
            child.Feed = null;
        }
    }

    /// <summary>Edges break off, for tests.</summary>
    public void Break(Func<bool> which)
    {
        foreach (PullInput<EdgeRequest>? input in _children.Select(static child => child.Input).Append(_fromParent))
        {
            if (input is not null && which())
            {
                input.Again();
            }
        }
    }

    EdgeRequest IPullSink<EdgeRequest>.From(PullInput<EdgeRequest> input)
    {
        bool isUp = input.Vertex.Attempt == Upwards;
        long position = isUp ? _folded + Ahead : _here;
        if (input.Openings > 1)
        {
            _group.Terms.Counters.Again.Add();
            bool isWrong = isUp && _group.Terms.Makes(CollectivesMistake.ResumesAt);
            if (isWrong && _channel.OperationAt(_tree, _folded, isUp: true) is { } operation)
            {
                position = Math.Max(operation.Up[_tree].Start, position - operation.Size);
            }
        }

        return _group.Request(position, input.Vertex.At);
    }

    void IPullSink<EdgeRequest>.OnReadable(PullInput<EdgeRequest> input) => GoOn();

    private void GoOn()
    {
        Work();
        if (!_group.IsOver)
        {
            LookAstray();
        }

        _channel.Finish();
    }

    bool IPullSink<EdgeRequest>.OnRefused(PullInput<EdgeRequest> input, PullRefusal why) =>
        _group.OnRefused(input.Vertex.At, why);

    private bool IsAstray(PullInput<EdgeRequest> input)
    {
        Span<byte> head = stackalloc byte[OperationHead.Bytes];
        return input.Peek(0, head) == head.Length && _group.HasCalled(OperationHead.NumberIn(head));
    }

    private PullInput<EdgeRequest> Pull(TreeLink link, uint direction)
    {
        Coordinate at = _group.Members[link.Rank];
        var vertex = new VertexId(_group.Id, direction, _channel.Number, _tree, at);
        return _group.Terms.Pulls.Pull(vertex, _group.TermsOf(link), this);
    }

    // The parent takes from a place on. Nobody has the result from there on, so all that it needs is still here.
    private PullRefusal ToParent(PullOutput output, long position, out IPullSource? source)
    {
        source = null;
        long first = _channel.Waiting.Count > 0 ? _channel.Waiting[0].Up[_tree].Start : _upEnd;
        if (position < first || position > _folded)
        {
            // Its parent is not who it was, or this member is not.
            return _group.Lose(position < first ? _links.Parent!.Value.Rank : _group.Rank);
        }

        _toParent?.Output.Abort(PullRefusal.Unknown);
        _toParent = new EdgeFeed(this, -1, output);
        source = _toParent;
        if (position == _folded - (_blockLength - _blockAt))
        {
            return PullRefusal.None;
        }

        // What the function still has is nobody's.
        (_folded, _blockAt, _blockLength, _fold) = (position, 0, 0, null);
        foreach (ChildEdge child in _children)
        {
            child.Input?.Dispose();
            child.Input = Pull(child.Link, Upwards);
        }

        return PullRefusal.None;
    }

    private PullRefusal ToChild(PullOutput output, int child, long position, out IPullSource? source)
    {
        source = null;
        ChildEdge edge = _children[child];
        if (position < _kept.Start || position > _here)
        {
            return _group.Lose(position < _kept.Start ? edge.Link.Rank : _group.Rank);
        }

        edge.Feed?.Output.Abort(PullRefusal.Unknown);
        edge.Feed = new EdgeFeed(this, child, output);
        edge.Sent = position;
        source = edge.Feed;
        return PullRefusal.None;
    }

    // A head, or a block, of this member and all children. False: there is nothing, or no room.
    private bool TryGiveUp()
    {
        if (_blockAt < _blockLength)
        {
            _blockAt += _toParent?.Output.Write(_block.AsSpan(_blockAt, _blockLength - _blockAt)) ?? 0;
            if (_blockAt < _blockLength)
            {
                return false;
            }
        }

        if (
            Ahead > 0
            || (!IsRoot && _toParent is null)
            || _channel.OperationAt(_tree, _folded, isUp: true) is not { } operation
        )
        {
            return false;
        }

        OperationPlace place = operation.Up[_tree];
        return _folded < place.Data ? TryHead(operation, place) : TryFold(operation, place);
    }

    private bool TryHead(Operation operation, OperationPlace place)
    {
        ReadOnlySpan<byte> rest = operation.HeadBytes.AsSpan((int)(_folded - place.Start));
        bool isEarly = operation.IsConfirmed && !IsRoot && _here < operation.Down[_tree].DataEnd;
        if (isEarly || ChildEdges.Ready(_children, rest.Length, _group) < rest.Length)
        {
            return false;
        }

        if (_children.Length == 0)
        {
            int written = IsRoot ? rest.Length : _toParent!.Output.Write(rest);
            _folded += written;
            return written > 0;
        }

        if (ChildEdges.TakeHead(_children, rest) is { } other)
        {
            _group.Mismatch(other.Link.Rank);
            return false;
        }

        // At the root there is no block.
        rest.TryCopyTo(_block);
        Advance(rest.Length);
        return true;
    }

    private bool TryFold(Operation operation, OperationPlace place)
    {
        int done = (int)(_folded - place.Data),
            most = place.Length - done;
        Span<byte> own = operation.Buffer.Span.Slice(place.From + done, most);
        if (_children.Length == 0)
        {
            int written = IsRoot ? most : _toParent!.Output.Write(own);
            _folded += written;
            return written > 0;
        }

        int count = ChildEdges.Ready(_children, Math.Min(most, GroupTerms.Block), _group);
        count -= count % operation.Size;
        if (count == 0)
        {
            return false;
        }

        Span<byte> into = own[..count];
        _group.Terms.Counters.Folded.Add(count * _children.Length);
        if (operation.Function is { } function)
        {
            _fold ??= new UserFold(_group, _children.Length, OnFolded);
            _fold.Begin(function, into, _children);
            return false;
        }

        if (!IsRoot)
        {
            into.CopyTo(_block);
            into = _block.AsSpan(0, count);
        }

        ChildEdges.Fold(_children, into, operation.Kernel!, _group.Terms);
        Advance(count);
        return true;
    }

    // The function has done with a block.
    private void OnFolded(UserFold fold)
    {
        if (fold != _fold)
        {
            return;
        }

        Operation operation = _channel.OperationAt(_tree, _folded, isUp: true)!;
        OperationPlace place = operation.Up[_tree];
        Span<byte> own = operation.Buffer.Span.Slice(place.From + (int)(_folded - place.Data), fold.Count);
        fold.Result.CopyTo(IsRoot ? own : _block);
        Advance(fold.Count);
        fold.Clear();
        GoOn();
    }

    // The next bytes are added up: in the block, for the parent, or at the root.
    private void Advance(int count)
    {
        (_blockAt, _blockLength) = (0, IsRoot ? 0 : count);
        _folded += count;
    }

    private bool TryTakeResult()
    {
        if (_channel.OperationAt(_tree, _here, isUp: false) is not { } operation)
        {
            return false;
        }

        OperationPlace place = operation.Down[_tree];
        long before = _here;
        if (IsRoot)
        {
            _here = Math.Max(_here, operation.ResultOf(_tree, _folded));
        }
        else if (_here < place.Data || _here >= place.DataEnd)
        {
            TryTakeHead(operation, _here < place.Data ? place.Start : place.DataEnd);
        }
        else
        {
            Span<byte> rest = operation.Buffer.Span.Slice(place.From, place.Length)[(int)(_here - place.Data)..];
            int count = _fromParent!.Peek(0, rest);
            if (count > 0)
            {
                _fromParent.Consume(count);
                _here += count;
                _group.Terms.Counters.Received.Add(count);

                // Those above may wait to hear that all is here.
                _isAskedFor |= operation.IsConfirmed && _here == place.DataEnd;
            }
        }

        if (_here == before && _fromParent is { IsWhole: true })
        {
            _group.Leave(_links.Parent!.Value.Rank);
        }

        return _here > before;
    }

    private void TryTakeHead(Operation operation, long from)
    {
        ReadOnlySpan<byte> rest = operation.HeadBytes.AsSpan((int)(_here - from));
        if (_fromParent!.Readable < rest.Length)
        {
            return;
        }

        if (!ChildEdges.TryTakeHead(_fromParent, rest))
        {
            // What came down is what the root and all between say.
            _group.Mismatch(_group.Rank);
            return;
        }

        _here += rest.Length;
    }

    private bool TryGiveDown(ChildEdge child)
    {
        if (child.Feed is not { } feed || child.Sent >= _here)
        {
            return false;
        }

        int written = feed.Output.Write(BytesAt(child.Sent));
        child.Sent += written;
        return written > 0;
    }

    // Of what is here of the results, from a place on, as much as is in one piece.
    private ReadOnlySpan<byte> BytesAt(long position)
    {
        if (position < _kept.End)
        {
            return _kept.From(position);
        }

        ReadOnlySpan<byte> bytes = _channel.OperationAt(_tree, position, isUp: false)!.Below(_tree, position);
        return bytes[..(int)Math.Min(bytes.Length, _here - position)];
    }
}
