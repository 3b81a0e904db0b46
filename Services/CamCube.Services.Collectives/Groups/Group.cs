using CamCube.Services.Collectives.Folding;
using CamCube.Services.Collectives.Wire;
using CamCube.Trees;

namespace CamCube.Services.Collectives.Groups;

/// <summary>A group, as one of its members has it: its trees, and why it has ended. Loop only.</summary>
internal sealed class Group : IGroup
{
    private const string WaySettings =
        "CamCube:Services:collectives: ShortBytes, Groups, LeastCredit, SendMemory, ReceiveMemory";

    private readonly Dictionary<Coordinate, int> _ranks = [];
    private readonly Stack<Operation> _free = [];
    private readonly ulong[] _sessions;
    private readonly ulong[] _runs;
    private readonly Action<Group> _closed;
    private readonly GroupChannels _channels;
    private readonly int _weight;
    private readonly long _openedNanos;
    private ulong _numbers;
    private bool _isClosed;

    /// <summary>A group; its members are in the cube and differ, and this server is one of them.</summary>
    /// <param name="terms">What groups have in common.</param>
    /// <param name="request">What was asked for.</param>
    /// <param name="members">The members.</param>
    /// <param name="id">Its number, the same at all of them.</param>
    /// <param name="session">A number that no other group here had or has.</param>
    /// <param name="closed">Told when it is closed.</param>
    public Group(
        GroupTerms terms,
        GroupRequest request,
        Coordinate[] members,
        ulong id,
        ulong session,
        Action<Group> closed
    )
    {
        (Terms, Name, Members, Id, Session, _closed) = (terms, request.Name, members, id, session, closed);
        _weight = request.Weight;
        _openedNanos = terms.Server.NowNanos;
        _sessions = new ulong[members.Length];
        _runs = Array.ConvertAll(members, terms.Server.Topology.IncarnationOf);
        for (int rank = 0; rank < members.Length; rank++)
        {
            _ranks.Add(members[rank], rank);
        }

        Rank = _ranks[terms.Server.Coordinate];
        _channels = new GroupChannels(this, _ranks);
    }

    public GroupTerms Terms { get; }

    public ulong Id { get; }

    public ulong Session { get; }

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public IReadOnlyList<Coordinate> Members { get; }

    /// <inheritdoc/>
    public int Rank { get; }

    /// <inheritdoc/>
    public CollectiveResult? End { get; private set; }

    /// <summary>It has ended, or is closed.</summary>
    public bool IsOver => _isClosed || End is not null;

    /// <summary>Whether members are roots of their parts.</summary>
    public bool HasParts => _channels.HasParts;

    /// <summary>Operations that are done.</summary>
    public long Done { get; private set; }

    /// <summary>Bytes of their vectors.</summary>
    public long Bytes { get; private set; }

    /// <summary>Operations that have not ended.</summary>
    public int Waiting { get; private set; }

    /// <summary>What members hear that ask for it from now on.</summary>
    public PullRefusal Word { get; private set; }

    public GroupState State => new(Name, Members.Count, Rank, Done, Waiting, Bytes, End);

    /// <inheritdoc/>
    public ValueTask<CollectiveResult> AllReduceAsync(
        Memory<byte> elements,
        ElementType type,
        ReduceOperator operation
    ) => BeginAsync(OperationKind.AllReduce, 0, elements, type, operation);

    /// <inheritdoc/>
    public ValueTask<CollectiveResult> AllReduceAsync(Memory<byte> elements, ReduceFunction function) =>
        BeginAsync(OperationKind.AllReduce, 0, elements, function);

    /// <inheritdoc/>
    public ValueTask<CollectiveResult> ReduceAsync(int root, Memory<byte> elements, ReduceFunction function) =>
        BeginAsync(OperationKind.Reduce, root, elements, function);

    /// <inheritdoc/>
    public ValueTask<CollectiveResult> ReduceScatterAsync(Memory<byte> elements, ReduceFunction function)
    {
        ArgumentNullException.ThrowIfNull(function);
        return elements.Length % (Math.Max(1, function.ElementBytes) * Members.Count) == 0
            ? BeginAsync(OperationKind.ReduceScatter, 0, elements, function)
            : Invalid($"{elements.Length:N0} bytes are not {Members.Count} equal parts of whole elements");
    }

    /// <inheritdoc/>
    public ValueTask<CollectiveResult> ReduceAsync(
        int root,
        Memory<byte> elements,
        ElementType type,
        ReduceOperator operation
    ) => BeginAsync(OperationKind.Reduce, root, elements, type, operation);

    /// <inheritdoc/>
    public ValueTask<CollectiveResult> BroadcastAsync(int root, Memory<byte> bytes) =>
        BeginAsync(OperationKind.Broadcast, root, bytes, ElementType.Int8, ReduceOperator.Or);

    /// <inheritdoc/>
    public ValueTask<CollectiveResult> ReduceScatterAsync(
        Memory<byte> elements,
        ElementType type,
        ReduceOperator operation
    )
    {
        int part = Math.Max(1, ElementTypes.SizeOf(type)) * Members.Count;
        return elements.Length % part == 0
            ? BeginAsync(OperationKind.ReduceScatter, 0, elements, type, operation)
            : Invalid($"{elements.Length:N0} bytes are not {Members.Count} equal parts of whole elements");
    }

    /// <inheritdoc/>
    public ValueTask<CollectiveResult> AllGatherAsync(Memory<byte> bytes)
    {
        if (bytes.Length % Members.Count != 0)
        {
            return Invalid($"{bytes.Length:N0} bytes are not {Members.Count} equal parts");
        }

        return BeginAsync(OperationKind.AllGather, 0, bytes, ElementType.Int8, ReduceOperator.Or);
    }

    /// <inheritdoc/>
    public ValueTask<CollectiveResult> BarrierAsync() =>
        BeginAsync(OperationKind.Barrier, 0, default, ElementType.Int8, ReduceOperator.Or);

    /// <inheritdoc/>
    public void Close()
    {
        if (_isClosed)
        {
            return;
        }

        bool isIdle = Waiting == 0;
        _isClosed = true;
        if (End is null)
        {
            Word = GroupEnd.Of(CollectiveStatus.MemberLeft, Rank);
            Stop(new CollectiveResult(CollectiveStatus.Closed, Members[Rank], "the group is closed here"), isIdle);
        }

        _closed(this);
    }

    /// <summary>Closes it because whoever used it here is gone: others hear that this member is lost.</summary>
    public void Abandon()
    {
        Lose(Rank);
        Close();
    }

    /// <summary>Opens its edges.</summary>
    public void Begin() => _channels.Open();

    /// <summary>A member asks for an edge.</summary>
    public PullRefusal OnPull(PullOutput output, in VertexId vertex, EdgeRequest request, out IPullSource? source)
    {
        source = null;
        bool isKnown = _ranks.TryGetValue(output.Consumer, out int from);
        if (!isKnown || !_channels.Has(vertex.Part) || vertex.Attempt > 1)
        {
            Terms.Counters.Malformed.Add();
            return PullRefusal.Malformed;
        }

        if (End is not null)
        {
            return Word;
        }

        if (request.Expected != 0 && request.Expected != Session)
        {
            return GroupEnd.Of(CollectiveStatus.MemberLost, Rank);
        }

        if (_sessions[from] != 0 && _sessions[from] != request.Session)
        {
            return Lose(from);
        }

        _sessions[from] = request.Session;
        bool isUp = vertex.Attempt == 0;
        if (request.Ways != _channels.Ways)
        {
            // Both ends say the same: the one that is farther from the root.
            return Fail(CollectiveStatus.OtherSettings, isUp ? Rank : from);
        }

        return _channels.Of(vertex.Part).OnPull(output, vertex.Tree, isUp, from, request.Position, out source);
    }

    /// <summary>Whether a word that another has for it is about this very one.</summary>
    public bool IsAskedBy(Coordinate member, EdgeRequest request) =>
        request.Expected == Session || (_ranks.TryGetValue(member, out int rank) && _sessions[rank] == request.Session);

    /// <summary>Whether a member has never asked.</summary>
    public bool IsStrange(Coordinate member) => !_ranks.TryGetValue(member, out int rank) || _sessions[rank] == 0;

    /// <summary>Looks who is lost.</summary>
    public void OnTopologyChanged(in TopologyChange change)
    {
        bool isLost = change.Event is TopologyEvent.ServerLost or TopologyEvent.ServerUnreachable;
        if (IsOver || !_ranks.TryGetValue(change.Server, out int rank))
        {
            return;
        }

        ulong run = Terms.Server.Topology.IncarnationOf(change.Server);
        if (isLost || (_runs[rank] != 0 && run != _runs[rank]))
        {
            Lose(rank);
        }

        _runs[rank] = run;
    }

    /// <summary>Looks who never came.</summary>
    public void Sweep()
    {
        bool isTime = Terms.Server.NowNanos - _openedNanos > Terms.Options.LostTime.TotalNanoseconds;
        for (int rank = 0; rank < Members.Count && isTime && !IsOver; rank++)
        {
            if (!Terms.Server.Topology.IsReachable(Members[rank]))
            {
                Lose(rank);
            }
        }
    }

    /// <summary>Who is asked for an edge does not give it. Returns whether to ask again.</summary>
    public bool OnRefused(Coordinate member, PullRefusal why)
    {
        if (why == GroupEnd.Forgotten)
        {
            Lose(_ranks[member]);
        }
        else if (GroupEnd.TryRead(why, out CollectiveStatus status, out int rank) && rank < Members.Count)
        {
            Fail(status, rank);
        }
        else if (why == PullRefusal.Malformed)
        {
            Terms.Counters.Malformed.Add();
        }

        return !IsOver;
    }

    /// <summary>Edges break off, for tests.</summary>
    public void Break(Func<bool> which)
    {
        foreach (Channel channel in _channels.All)
        {
            if (!IsOver)
            {
                channel.Break(which);
            }
        }
    }

    public EdgeRequest Request(long position, Coordinate member) =>
        new(position, Session, _sessions[_ranks[member]], _channels.Ways);

    public PullTerms TermsOf(TreeLink link) =>
        new()
        {
            Edge = link.Cable,
            Channel = (ushort)(Id % ushort.MaxValue),
            Weight = _weight,
            LeastCredit = Terms.Options.LeastCredit,
        };

    public PullRefusal Lose(int rank) => Fail(CollectiveStatus.MemberLost, rank);

    public void Leave(int rank) => Fail(CollectiveStatus.MemberLeft, rank);

    /// <summary>A function of a service's own failed here.</summary>
    public void FailFunction(CollectiveStatus why) => Fail(why, Rank);

    public void Mismatch(int rank) => Fail(CollectiveStatus.Mismatch, rank);

    /// <summary>Whether the operation of a number was called.</summary>
    public bool HasCalled(ulong number) => number < _numbers;

    public void OnDone(Operation operation)
    {
        if (operation.Whole is { } whole)
        {
            operation.Release();
            if (!whole.IsLast())
            {
                return;
            }

            operation = whole;
        }

        Done++;
        Bytes += operation.Buffer.Length;
        Waiting--;
        Terms.Counters.Done.Add();
        operation.End(new CollectiveResult(CollectiveStatus.Done, Members[0], null));
    }

    public void Return(Operation operation) => _free.Push(operation);

    private PullRefusal Fail(CollectiveStatus status, int rank)
    {
        if (IsOver)
        {
            return Word;
        }

        string words = status switch
        {
            CollectiveStatus.Mismatch => $"the operation of {Members[rank]}, or of a server next to it, is another one",
            CollectiveStatus.MemberLeft => $"{Members[rank]} has closed the group",
            CollectiveStatus.FunctionThrew => $"the function that makes two elements one threw at {Members[rank]}",
            CollectiveStatus.OtherSettings =>
                $"the settings of {Members[rank]}, or of a server next to it, are others ({WaySettings})",
            CollectiveStatus.FunctionLate =>
                $"the function that makes two elements one did not return in time at {Members[rank]}",
            _ => $"{Members[rank]} is lost",
        };
        Word = GroupEnd.Of(status, rank);
        End = new CollectiveResult(status, Members[rank], words);
        Stop(End.Value, isIdle: false);
        return Word;
    }

    private void Stop(in CollectiveResult result, bool isIdle)
    {
        Terms.Counters.Failed.Add(Waiting);
        Waiting = 0;
        foreach (Channel channel in _channels.All)
        {
            channel.Stop(result, isIdle ? null : Word);
        }
    }

    // Each member is the root of its part, so that no link carries more than its share.
    private ValueTask<CollectiveResult> BeginParts(
        Operation whole,
        OperationHead head,
        Memory<byte> buffer,
        FoldKernel kernel
    )
    {
        int part = buffer.Length / Members.Count;
        ValueTask<CollectiveResult> result = whole.Begin(head, buffer, Members.Count);
        for (int rank = 0; rank < Members.Count && !IsOver; rank++)
        {
            _channels.OfRoot(rank).Begin(Take(), whole, buffer.Slice(rank * part, part), kernel);
        }

        return result;
    }

    private Operation Take() => _free.TryPop(out Operation? free) ? free : new Operation(this);

    private ValueTask<CollectiveResult> BeginAsync(
        OperationKind kind,
        int root,
        Memory<byte> buffer,
        ReduceFunction function
    )
    {
        ArgumentNullException.ThrowIfNull(function);
        return FunctionTerms.WrongOf(function, Terms.Server) is { } wrong
            ? Invalid(wrong)
            : BeginAsync(kind, root, buffer, default, default, function);
    }

    private ValueTask<CollectiveResult> BeginAsync(
        OperationKind kind,
        int root,
        Memory<byte> buffer,
        ElementType type,
        ReduceOperator operation,
        ReduceFunction? function = null
    )
    {
        if (_isClosed)
        {
            return new(new CollectiveResult(CollectiveStatus.Closed, Members[Rank], "the group is closed here"));
        }

        if (End is { } end)
        {
            return new(end);
        }

        int size = function?.ElementBytes ?? ElementTypes.SizeOf(type);
        FoldKernel? kernel = FoldKernels.Of(type, operation);
        if (kernel is null && function is null)
        {
            return Invalid($"there is no {operation} of {type}");
        }

        if (buffer.Length % size != 0)
        {
            return Invalid($"{buffer.Length:N0} bytes are no whole elements of {size}");
        }

        if ((uint)root >= (uint)Members.Count)
        {
            return Invalid($"there is no member {root} of {Members.Count}");
        }

        if (Waiting >= Terms.Options.Waiting)
        {
            string words = $"{Waiting:N0} operations of {Name} wait (CamCube:Services:collectives:Waiting)";
            return new(new CollectiveResult(CollectiveStatus.Busy, Members[Rank], words));
        }

        bool isShort = buffer.Length <= Terms.Options.ShortBytes,
            hasParts = kind is OperationKind.ReduceScatter or OperationKind.AllGather;
        hasParts = hasParts && !isShort && function is null && _channels.HasParts;
        Waiting++;
        Operation begun = Take();
        var head = new OperationHead(kind, type, operation, _numbers++, root, buffer.Length)
        {
            Function = function is null ? 0 : FunctionTerms.HashOf(function),
        };
        ValueTask<CollectiveResult> result;
        if (hasParts)
        {
            result = BeginParts(begun, head, buffer, kernel!);
        }
        else
        {
            ClearOthers(kind, root, buffer.Span);
            result = (isShort ? _channels.Short : _channels.Long).Begin(begun, head, buffer, kernel, function);
        }

        foreach (Channel other in _channels.All)
        {
            if (!IsOver)
            {
                other.LookAstray();
            }
        }

        return result;
    }

    // What others have is nothing here, and nothing or something is that. Only of an operation that begins: one that is
    // refused leaves its memory as it was.
    private void ClearOthers(OperationKind kind, int root, Span<byte> buffer)
    {
        if (kind == OperationKind.Broadcast && root != 0 && root != Rank)
        {
            buffer.Clear();
        }
        else if (kind == OperationKind.AllGather)
        {
            int part = buffer.Length / Members.Count;
            buffer[..(Rank * part)].Clear();
            buffer[((Rank + 1) * part)..].Clear();
        }
    }

    private ValueTask<CollectiveResult> Invalid(string words) =>
        new(new CollectiveResult(CollectiveStatus.Invalid, Members[Rank], words));
}
