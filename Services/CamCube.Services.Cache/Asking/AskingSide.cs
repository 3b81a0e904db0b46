using System.Runtime.InteropServices;
using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.HotSpots;
using CamCube.Services.Cache.Lending;
using CamCube.Services.Cache.Roots;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Asking;

/// <summary>
/// Brings operations of this server's clients to the roots of their keys and answers back. Reads and plain sets go on
/// until some root has done them; other changes are done at most once (docs/cache.md, "At most once"). Loop only.
/// </summary>
internal sealed class AskingSide
{
    private readonly Caller<CacheHeader, CacheReply> _caller;

    public AskingSide(
        IServer server,
        CacheOptions options,
        MessageChannel<CacheHeader> channel,
        RootSide root,
        HolderSide holder,
        LookupWays ways,
        ChangeGate gate,
        CacheCounters counters
    )
    {
        (Server, Channel, Root, Holder) = (server, channel, root, holder);
        (Ways, Gate, Counters) = (ways, gate, counters);
        var counted = new CallCounters(counters[CacheCount.Retries], counters[CacheCount.Refusals]);
        _caller = new Caller<CacheHeader, CacheReply>(server, channel, options.CallLimits, counted);
        holder.TakeAnswer = TakeAnswer;
    }

    /// <summary>The service's server.</summary>
    public IServer Server { get; }

    /// <summary>Its channel.</summary>
    public MessageChannel<CacheHeader> Channel { get; }

    /// <summary>What this server does as a root.</summary>
    public RootSide Root { get; }

    /// <summary>What this server does as the root of extra keys.</summary>
    public HolderSide Holder { get; }

    /// <summary>Where reads go.</summary>
    public LookupWays Ways { get; }

    /// <summary>Where changes wait for copies to end.</summary>
    public ChangeGate Gate { get; }

    /// <summary>What is counted.</summary>
    public CacheCounters Counters { get; }

    /// <summary>Operations that wait for an answer.</summary>
    public int Open => _caller.Open;

    /// <summary>Does an operation wherever its root is; a value that is read is written to the request's
    /// writer.</summary>
    public ValueTask<CacheReply> ExecuteAsync(Key memId, in CacheRequest request, bool isTooLarge) =>
        _caller.CallAsync(memId, new CacheCall(this, request, isTooLarge));

    /// <summary>Brings a call to its root, however it is done there.</summary>
    public ValueTask<CacheReply> CallAsync<TCall>(Key memId, TCall call)
        where TCall : struct, ICall<CacheReply> => _caller.CallAsync(memId, call);

    /// <summary>An answer of a root.</summary>
    public void OnAnswer(in IncomingMessage<CacheHeader> message)
    {
        AnswerHead head = MemoryMarshal.Read<AnswerHead>(message.Content);
        _caller.OnAnswer(message, head.Root, ReplyOf(message.Header, head), head.Hops);
    }

    /// <summary>A server did not do it.</summary>
    public void OnRefusal(in IncomingMessage<CacheHeader> message) => _caller.OnRefusal(message);

    /// <summary>Whether an answer that begins to arrive is still wanted.</summary>
    public bool IsWanted(in CacheHeader header) => _caller.IsWanted(header);

    /// <summary>The view changed.</summary>
    public void OnTopologyChanged(in TopologyChange change) => _caller.OnTopologyChanged(change);

    // The answer of a root that came with a copy for this server: its content is part of a longer one.
    private void TakeAnswer(in CacheHeader header, Coordinate source, ReadOnlySpan<byte> content)
    {
        AnswerHead head = MemoryMarshal.Read<AnswerHead>(content);
        _caller.OnCarriedAnswer(header, source, head.Root, ReplyOf(header, head), head.Hops, content);
    }

    private static CacheReply ReplyOf(in CacheHeader header, in AnswerHead head) =>
        new((CacheStatus)header.Code, header.Flags, head.Cas, head.Number) { Facts = head.Facts };
}
