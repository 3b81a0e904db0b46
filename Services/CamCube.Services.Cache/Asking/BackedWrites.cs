using System.Runtime.CompilerServices;
using CamCube.Services.Cache.Backing;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Cache.Asking;

/// <summary>
/// memcached's changes as changes of the key-value store, which does each at most once and says when it cannot: what
/// the store answered is what happened. Tokens are the store's versions. Loop only.
/// </summary>
internal sealed class BackedWrites(IServer server, CacheOptions options, BackedStore store, BackedRewrites rewrites)
{
    private readonly BesideFlags _flags = new();

    /// <summary>Does a change. Pooled: await at once and once.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<CacheReply> ChangeAsync(CacheRequest request)
    {
        if (!BackedTerms.IsPossible(request.Terms))
        {
            return new CacheReply(CacheStatus.NotForStore);
        }

        if (store.Running is not { } kv)
        {
            return new CacheReply(CacheStatus.StoreUnavailable);
        }

        return request.Terms.Operation switch
        {
            CacheOperation.Delete => await DeleteAsync(kv, request, KeyValueCondition.Present),
            CacheOperation.Touch => await TouchAsync(kv, request),
            CacheOperation.Append => await AppendAsync(kv, request),
            CacheOperation.Prepend => await rewrites.JoinAsync(kv, request, _flags),
            CacheOperation.GetAndTouch => await rewrites.GetAndTouchAsync(kv, request),
            CacheOperation.Increment or CacheOperation.Decrement => await rewrites.CountAsync(kv, request),
            _ => await PutAsync(kv, request),
        };
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<CacheReply> PutAsync(IKeyValueStore kv, CacheRequest request)
    {
        CacheOperation operation = request.Terms.Operation;
        KeyValueCondition condition =
            operation == CacheOperation.Add
                ? KeyValueCondition.Absent
                : BackedTerms.ConditionOf(
                    request.Terms,
                    operation == CacheOperation.Replace ? KeyValueCondition.Present : default
                );
        TimeSpan? life = BackedTerms.LifeOf(request.Terms.Expiry, server.TimeProvider, out bool isOver);
        if (isOver && operation != CacheOperation.Add)
        {
            // What is expired when it is stored is as good as deleted.
            CacheReply deleted = await DeleteAsync(kv, request, condition);
            return deleted.Status == CacheStatus.NotFound && condition == default
                ? new CacheReply(CacheStatus.Done)
                : deleted;
        }

        var put = new KeyValuePut
        {
            Condition = condition,
            Expires = isOver ? TimeSpan.FromMilliseconds(1) : life,
            Metadata = _flags.Of(request.Terms.Flags),
        };
        KeyValueAnswer answer = await kv.PutAsync(KeyOf(request), request.Value, put);
        return BackedReplies.Of(answer, request.Terms) is { Status: CacheStatus.Done } done
            ? done with
            {
                Flags = request.Terms.Flags,
                Cas = store.TokenOf(answer.Version),
                Facts = BackedStore.FactsOf(request.Value.Length, life),
            }
            : BackedReplies.Of(answer, request.Terms);
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<CacheReply> DeleteAsync(
        IKeyValueStore kv,
        CacheRequest request,
        KeyValueCondition otherwise
    )
    {
        KeyValueCondition condition = BackedTerms.ConditionOf(request.Terms, otherwise);
        KeyValueAnswer answer = await kv.DeleteAsync(KeyOf(request), condition);
        return BackedReplies.Of(answer, request.Terms);
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<CacheReply> TouchAsync(IKeyValueStore kv, CacheRequest request)
    {
        TimeSpan? life = BackedTerms.LifeOf(request.Terms.Expiry, server.TimeProvider, out bool isOver);
        if (isOver)
        {
            return await DeleteAsync(kv, request, KeyValueCondition.Present);
        }

        KeyValueChange change = KeyValueChange.Expire(life) with
        {
            Condition = BackedTerms.ConditionOf(request.Terms, KeyValueCondition.Present),
        };
        KeyValueAnswer answer = await kv.ChangeAsync(KeyOf(request), change);
        CacheReply reply = BackedReplies.Of(answer, request.Terms);
        return reply.Status == CacheStatus.Done
            ? reply with
            {
                Cas = store.TokenOf(answer.Version),
                Facts = BackedStore.FactsOf(answer.Length, life),
            }
            : reply;
    }

    // Where the store does it itself, flags and the end of the value's time stay as they are.
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<CacheReply> AppendAsync(IKeyValueStore kv, CacheRequest request)
    {
        if (
            request.Value.Length > KeyValueChange.MostBytes
            || options.MaxValueLength < KeyValueChange.MostBytes
            || (request.Terms.Options & CacheTermOptions.Vivify) != 0
        )
        {
            return await rewrites.JoinAsync(kv, request, _flags);
        }

        KeyValueChange change = KeyValueChange.Append(request.Value) with
        {
            Condition = BackedTerms.ConditionOf(request.Terms, KeyValueCondition.Present),
        };
        KeyValueAnswer answer = await kv.ChangeAsync(KeyOf(request), change);
        if (answer.Status == KeyValueStatus.TooLarge)
        {
            return await rewrites.JoinAsync(kv, request, _flags);
        }

        CacheReply reply = BackedReplies.Of(answer, request.Terms);
        return reply.Status == CacheStatus.Done ? reply with { Cas = store.TokenOf(answer.Version) } : reply;
    }

    private KeyValueKey KeyOf(in CacheRequest request) => new(request.Key, store.Keys.Table);
}
