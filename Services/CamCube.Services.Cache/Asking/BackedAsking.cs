using System.Runtime.CompilerServices;
using CamCube.Services.Cache.Backing;
using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.HotSpots;
using CamCube.Services.Cache.Lending;
using CamCube.Services.Cache.Roots;
using CamCube.Services.Cache.Store;

namespace CamCube.Services.Cache.Asking;

/// <summary>
/// Operations of this server's clients on keys that the key-value store keeps. Reads go by way of copies; changes are
/// the store's own, and answered when no copy of what was before can be served any more (docs/cache.md, "Backed keys").
/// Loop only.
/// </summary>
internal sealed class BackedAsking(
    IServer server,
    AskingSide asking,
    BackedStore store,
    BackedWrites changes,
    BackedRoot root,
    ReplicaRules rules,
    Leases lease
)
{
    /// <summary>A mistake that it makes, for tests: copies are left as they are.</summary>
    public bool LeavesCopies { get; set; }

    /// <summary>Whether a key is one of them.</summary>
    public bool Has(ReadOnlySpan<byte> clientKey) => store.Keys.HasAny && store.Keys.Has(clientKey);

    /// <summary>A read that needs no other server: of the store's memory, of this cache's, or of a copy. False: nothing
    /// was done.</summary>
    /// <param name="terms">What is asked.</param>
    /// <param name="clientKey">The client's key.</param>
    /// <param name="reader">Gets the value; null: it is not wanted.</param>
    /// <param name="reply">What came of it.</param>
    public bool TryRead(
        in CacheTerms terms,
        ReadOnlySpan<byte> clientKey,
        ICacheValueReader? reader,
        out CacheReply reply
    )
    {
        reply = default;
        if (!BackedTerms.IsPlainRead(terms))
        {
            return false;
        }

        ReadBuffer buffer = store.Rent();
        bool isThere = TryRead(clientKey, buffer, out BackedAnswer answer);
        reply = answer.Reply;
        if (isThere && reply.Status == CacheStatus.Done)
        {
            reader?.TakeValue(reply, buffer.Value.WrittenSpan, 0);
        }

        store.Return(buffer);
        if (isThere)
        {
            asking.Counters.AddLookup(0);
        }

        return isThere;
    }

    /// <summary>Any operation. Memory in the request is lent until it ends.</summary>
    public ValueTask<CacheReply> ExecuteAsync(CacheRequest request, bool isTooLarge)
    {
        if (BackedTerms.IsPlainRead(request.Terms))
        {
            return ReadAsync(request);
        }

        return BackedTerms.IsLook(request.Terms) ? LookAsync(request) : ChangeAsync(request, isTooLarge);
    }

    // All values that are here come by the buffer: the store's memory may be another's a moment later.
    private bool TryRead(ReadOnlySpan<byte> clientKey, ReadBuffer buffer, out BackedAnswer answer)
    {
        if (store.TryRead(clientKey, buffer, out answer))
        {
            return true;
        }

        Key memId = store.Keys.MemIdOf(clientKey);
        bool isThere = root.TryKept(memId, clientKey, out answer, out ItemValue value);
        if (!isThere)
        {
            var terms = new CacheTerms { Operation = CacheOperation.Get };
            isThere = asking.Holder.TryRead(memId, terms, clientKey, out CacheReply copied, out value);
            answer = new BackedAnswer(copied);
        }

        if (isThere && value.Length > 0)
        {
            value.CopyTo(buffer.Value.GetSpan(value.Length));
            buffer.Value.Advance(value.Length);
        }

        return isThere;
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<CacheReply> ReadAsync(CacheRequest request)
    {
        ReadBuffer buffer = store.Rent();
        Key memId = store.Keys.MemIdOf(request.Key.Span);
        if (!TryRead(request.Key.Span, buffer, out BackedAnswer answer))
        {
            CacheReply reply = await asking.CallAsync(memId, new BackedReadCall(asking, request));
            if (reply.Status != BackedReadCall.AskHere)
            {
                store.Return(buffer);
                asking.Counters[CacheCount.BackedFailed].Add(IsFailed(reply.Status) ? 1 : 0);
                return reply;
            }

            buffer.Clear();
            answer = await store.ReadAsync(request.Key, buffer);
            root.Keep(memId, request.Key.Span, answer, buffer.Value.WrittenSpan);
        }

        asking.Counters.AddLookup(0);
        bool isWritten =
            answer.Reply.Status != CacheStatus.Done || ValueWriter.TryWrite(request.Into, buffer.Value.WrittenSpan);
        store.Return(buffer);
        return isWritten ? answer.Reply : new CacheReply(CacheStatus.Unavailable);
    }

    // Facts alone, or without a trace: those of the store, which has no others.
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<CacheReply> LookAsync(CacheRequest request)
    {
        ReadBuffer buffer = store.Rent();
        BackedAnswer answer = await store.ReadAsync(request.Key, buffer);
        store.Return(buffer);
        return answer.Reply;
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<CacheReply> ChangeAsync(CacheRequest request, bool isTooLarge)
    {
        CacheReply reply = isTooLarge ? new CacheReply(CacheStatus.TooLarge) : await changes.ChangeAsync(request);
        BackedTally.Count(asking.Counters, request.Terms, reply);
        bool hasCopies = lease.WaitNanos > 0 && rules.Of(request.Key.Span) > 0;
        if (SaysWhatIsThere(reply.Status) && hasCopies && !LeavesCopies)
        {
            await EndCopiesAsync(request.Key);
        }

        return reply;
    }

    // The store has it. If nobody can be told, what was asked for before is over when its lease is.
    [AsyncMethodBuilder(typeof(LoopMethodBuilder))]
    private async ValueTask EndCopiesAsync(ReadOnlyMemory<byte> clientKey)
    {
        long overNanos = server.NowNanos + lease.WaitNanos;
        Key memId = store.Keys.MemIdOf(clientKey.Span);
        CacheReply ended = await asking.CallAsync(memId, new EndCopiesCall(asking, clientKey));
        if (ended.Status == CacheStatus.Done)
        {
            return;
        }

        asking.Counters[CacheCount.BackedLate].Add();
        while (server.NowNanos < overNanos && !server.Stopping.IsCancellationRequested)
        {
            await server.DelayAsync(TimeSpan.FromMicroseconds(((overNanos - server.NowNanos) / 1_000) + 1));
        }
    }

    // Who is told that a key is gone, or another value there, must not read a copy of what was before.
    private static bool SaysWhatIsThere(CacheStatus status) =>
        status
            is CacheStatus.Done
                or CacheStatus.NotFound
                or CacheStatus.NotStored
                or CacheStatus.Exists
                or CacheStatus.NotANumber;

    private static bool IsFailed(CacheStatus status) =>
        status is CacheStatus.StoreUnavailable or CacheStatus.TimedOut or CacheStatus.Unavailable;
}
