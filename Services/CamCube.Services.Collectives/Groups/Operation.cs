using System.Threading.Tasks.Sources;
using CamCube.Services.Collectives.Folding;
using CamCube.Services.Collectives.Wire;

namespace CamCube.Services.Collectives.Groups;

/// <summary>One operation of one member, used again when it has ended. Where its bytes are on the edges of each tree:
/// its head, and its stripe behind it: upwards, unless rank 0, which is the root of the trees, has it; downwards,
/// unless only rank 0 gets it. Or one part of an operation whose parts have a root each. Loop only.</summary>
/// <param name="group">Whose it is.</param>
internal sealed class Operation(Group group) : IValueTaskSource<CollectiveResult>
{
    /// <summary>There are at most so many trees.</summary>
    public const int MostTrees = Links.Cables;

    private ManualResetValueTaskSourceCore<CollectiveResult> _core;
    private CollectiveResult _result;

    public Memory<byte> Buffer { get; private set; }

    public OperationHead Head { get; private set; }

    public FoldKernel? Kernel { get; private set; }

    /// <summary>A function of a service's own, instead of a kernel; null: there is none.</summary>
    public ReduceFunction? Function { get; private set; }

    /// <summary>Bytes of an element.</summary>
    public int Size { get; private set; }

    public byte[] HeadBytes { get; } = new byte[OperationHead.Bytes];

    public OperationPlace[] Up { get; } = new OperationPlace[MostTrees];

    public OperationPlace[] Down { get; } = new OperationPlace[MostTrees];

    /// <summary>The operation of which it is a part, with a root of its own; null: it is a whole one.</summary>
    public Operation? Whole { get; private set; }

    /// <summary>Parts that are not done.</summary>
    public int Left { get; private set; }

    /// <summary>Members give to it, or say at least that they are there.</summary>
    public bool HasUp => Head.Kind != OperationKind.Broadcast || Head.Root != 0;

    /// <summary>A member says upwards that all below it have what comes down, and the root then says so to all. So
    /// nothing of it is asked for again once it is done, and none of it has to be kept.</summary>
    public bool IsConfirmed => Whole is not null && Head.Kind == OperationKind.AllGather;

    public ValueTask<CollectiveResult> Begin(
        OperationHead head,
        Memory<byte> buffer,
        FoldKernel? kernel,
        ReduceFunction? function
    )
    {
        (Head, Buffer, Kernel, Function, Whole) = (head, buffer, kernel, function, null);
        Size = function?.ElementBytes ?? Math.Max(1, ElementTypes.SizeOf(head.Type));
        head.Write(HeadBytes);
        _core.Reset();
        return new ValueTask<CollectiveResult>(this, _core.Version);
    }

    /// <summary>Begins as an operation of so many parts.</summary>
    public ValueTask<CollectiveResult> Begin(OperationHead head, Memory<byte> buffer, int parts)
    {
        ValueTask<CollectiveResult> result = Begin(head, buffer, kernel: null, function: null);
        Left = parts;
        return result;
    }

    /// <summary>Begins as one of the parts of an operation.</summary>
    public void Begin(Operation whole, Memory<byte> part, FoldKernel? kernel)
    {
        Begin(whole.Head, part, kernel, function: null);
        Whole = whole;
    }

    /// <summary>A part is done. Returns whether it was the last.</summary>
    public bool IsLast() => --Left == 0;

    /// <summary>Where it is in a tree.</summary>
    /// <param name="tree">The tree.</param>
    /// <param name="trees">How many there are.</param>
    /// <param name="upAt">Where its bytes begin, upwards.</param>
    /// <param name="downAt">Where they begin, downwards.</param>
    public void Place(int tree, int trees, long upAt, long downAt)
    {
        long elements = Buffer.Length / Size;
        int from = (int)(elements * tree / trees) * Size,
            to = (int)(elements * (tree + 1) / trees) * Size;
        bool isUp = HasUp && !IsConfirmed && Head.Kind != OperationKind.Barrier,
            isDown = Whole is null
                ? Head.Kind != OperationKind.Barrier && (Head.Kind != OperationKind.Reduce || Head.Root != 0)
                : IsConfirmed;
        Up[tree] = new(upAt, HasUp ? OperationHead.Bytes : 0, from, isUp ? to - from : 0);
        int tail = IsConfirmed ? OperationHead.Bytes : 0;
        Down[tree] = new(downAt, OperationHead.Bytes, from, isDown ? to - from : 0, tail);
    }

    /// <summary>How far its result is there at the root of a tree: as soon as it is added up.</summary>
    /// <param name="tree">The tree.</param>
    /// <param name="folded">How far the root has added up.</param>
    public long ResultOf(int tree, long folded)
    {
        (OperationPlace up, OperationPlace down) = (Up[tree], Down[tree]);
        return !HasUp || folded >= up.End ? down.End
            : IsConfirmed ? down.DataEnd
            : down.Length > 0 && folded >= up.Data ? down.Data + (folded - up.Data)
            : down.Start;
    }

    /// <summary>Its bytes on the way down a tree, from a place on, as many as are in one piece.</summary>
    public ReadOnlySpan<byte> Below(int tree, long position)
    {
        OperationPlace place = Down[tree];
        return position < place.Data ? HeadBytes.AsSpan((int)(position - place.Start))
            : position < place.DataEnd ? Buffer.Span.Slice(place.From, place.Length)[(int)(position - place.Data)..]
            : HeadBytes.AsSpan((int)(position - place.DataEnd));
    }

    /// <summary>What children may ask for again, now that it is done, is kept elsewhere.</summary>
    public void Keep(int tree, KeptBytes kept)
    {
        OperationPlace place = Down[tree];
        if (IsConfirmed)
        {
            kept.Skip(place.Head + place.Length);
        }
        else
        {
            kept.Add(HeadBytes);
            kept.Add(Buffer.Span.Slice(place.From, place.Length));
        }

        kept.Add(HeadBytes.AsSpan(0, place.Tail));
    }

    /// <summary>It has ended, or what it is a part of. Who waits goes on after the present callback.</summary>
    public void End(in CollectiveResult result)
    {
        if (Whole is { } whole)
        {
            Release();
            if (whole.Left > 0)
            {
                whole.Left = 0;
                whole.End(result);
            }

            return;
        }

        _result = result;
        (Buffer, Kernel, Function) = (default, null, null);
        group.Terms.Server.Loop.Post(static operation => ((Operation)operation!).Tell(), this);
    }

    /// <summary>A part has ended, and is used again.</summary>
    public void Release()
    {
        (Buffer, Kernel, Function) = (default, null, null);
        group.Return(this);
    }

    public CollectiveResult GetResult(short token)
    {
        CollectiveResult result = _core.GetResult(token);
        group.Return(this);
        return result;
    }

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    ) =>
        // It is told on the loop, so nobody has to be brought back there.
        _core.OnCompleted(continuation, state, token, flags & ~ValueTaskSourceOnCompletedFlags.UseSchedulingContext);

    private void Tell() => _core.SetResult(_result);
}
