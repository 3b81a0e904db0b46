using System.Runtime.CompilerServices;
using CamCube.Services.Cache.Backing;
using CamCube.Services.Cache.Store;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Cache.Asking;

/// <summary>
/// memcached's changes that the key-value store has no word for: the value is read, worked out, and put under the
/// condition that nobody changed it meanwhile; if somebody did, again. Loop only.
/// </summary>
internal sealed class BackedRewrites(IServer server, CacheOptions options, BackedStore store)
{
    /// <summary>append and prepend of values that the store does not lengthen itself.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<CacheReply> JoinAsync(IKeyValueStore kv, CacheRequest request, BesideFlags flags)
    {
        ReadBuffer buffer = store.Rent();
        CacheReply reply = new(CacheStatus.StoreUnavailable);
        for (int attempt = 0; attempt < options.BackedAttempts && !server.Stopping.IsCancellationRequested; attempt++)
        {
            buffer.Clear();
            BackedAnswer found = await store.ReadAsync(request.Key, buffer, isCounted: false);
            if (IsOver(found, request.Terms, CacheStatus.NotStored, out reply))
            {
                break;
            }

            bool isNew = found.Version == 0;
            if ((long)buffer.Value.WrittenCount + request.Value.Length > options.MaxValueLength)
            {
                reply = new CacheReply(CacheStatus.NotStored);
                break;
            }

            TimeSpan? life = isNew ? NewLife(request.Terms.VivifyExpiry) : found.Life;
            byte[] joined =
                request.Terms.Operation == CacheOperation.Append
                    ? [.. buffer.Value.WrittenSpan, .. request.Value.Span]
                    : [.. request.Value.Span, .. buffer.Value.WrittenSpan];
            KeyValueAnswer answer = await kv.PutAsync(
                KeyOf(request),
                joined,
                new KeyValuePut
                {
                    Condition = isNew ? KeyValueCondition.Absent : KeyValueCondition.Is(found.Version),
                    Expires = life,
                    Metadata = isNew ? flags.Of(request.Terms.Flags) : buffer.Beside.WrittenMemory,
                }
            );
            reply = Told(answer, request.Terms, joined.Length, life, isNew);
            if (answer.Status != KeyValueStatus.Conflict)
            {
                break;
            }

            reply = new CacheReply(CacheStatus.StoreUnavailable);
        }

        store.Return(buffer);
        return reply;
    }

    /// <summary>incr and decr. Numbers that the store counts with are added there, so that they stay what other clients
    /// count with, and their time goes on.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<CacheReply> CountAsync(IKeyValueStore kv, CacheRequest request)
    {
        ReadBuffer buffer = store.Rent();
        CacheReply reply = new(CacheStatus.StoreUnavailable);
        for (int attempt = 0; attempt < options.BackedAttempts && !server.Stopping.IsCancellationRequested; attempt++)
        {
            buffer.Clear();
            BackedAnswer found = await store.ReadAsync(request.Key, buffer, isCounted: false);
            if (IsOver(found, request.Terms, CacheStatus.NotFound, out reply))
            {
                break;
            }

            bool isNew = found.Version == 0;
            ulong number = request.Terms.Initial;
            ulong old = 0;
            if (!isNew && !DecimalText.TryParse(buffer.Value.WrittenSpan, out old))
            {
                reply = new CacheReply(CacheStatus.NotANumber);
                break;
            }

            if (!isNew)
            {
                number =
                    request.Terms.Operation == CacheOperation.Increment
                        ? unchecked(old + request.Terms.Delta)
                        : old - Math.Min(old, request.Terms.Delta);
            }

            KeyValueAnswer answer = await PutNumberAsync(kv, request, found, buffer, old, number);
            TimeSpan? life = isNew ? NewLife(request.Terms.VivifyExpiry) : found.Life;
            reply = Told(answer, request.Terms, (int)answer.Length, life, isNew);
            reply = reply.Status == CacheStatus.Done ? reply with { Number = number } : reply;
            if (answer.Status != KeyValueStatus.Conflict)
            {
                break;
            }

            reply = new CacheReply(CacheStatus.StoreUnavailable);
        }

        store.Return(buffer);
        return reply;
    }

    /// <summary>Reads a value and says anew how long it is there: of the value that was read, or not at all.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<CacheReply> GetAndTouchAsync(IKeyValueStore kv, CacheRequest request)
    {
        ReadBuffer buffer = store.Rent();
        CacheReply reply = new(CacheStatus.StoreUnavailable);
        TimeSpan? life = BackedTerms.LifeOf(request.Terms.Expiry, server.TimeProvider, out bool isOver);
        for (int attempt = 0; attempt < options.BackedAttempts && !server.Stopping.IsCancellationRequested; attempt++)
        {
            buffer.Clear();
            BackedAnswer found = await store.ReadAsync(request.Key, buffer, isCounted: false);
            if (IsOver(found, request.Terms, CacheStatus.NotFound, out reply))
            {
                break;
            }

            KeyValueCondition same = KeyValueCondition.Is(found.Version);
            KeyValueAnswer answer = isOver
                ? await kv.DeleteAsync(KeyOf(request), same)
                : await kv.ChangeAsync(KeyOf(request), KeyValueChange.Expire(life) with { Condition = same });
            if (answer.Status == KeyValueStatus.Conflict)
            {
                reply = new CacheReply(CacheStatus.StoreUnavailable);
                continue;
            }

            reply = Told(answer, request.Terms, buffer.Value.WrittenCount, life, isNew: false) with
            {
                Flags = found.Reply.Flags,
            };
            bool wantsValue = (request.Terms.Options & CacheTermOptions.WithoutValue) == 0;
            if (
                reply.Status == CacheStatus.Done
                && wantsValue
                && !ValueWriter.TryWrite(request.Into, buffer.Value.WrittenSpan)
            )
            {
                reply = new CacheReply(CacheStatus.Unavailable);
            }

            break;
        }

        store.Return(buffer);
        return reply;
    }

    private ValueTask<KeyValueAnswer> PutNumberAsync(
        IKeyValueStore kv,
        in CacheRequest request,
        in BackedAnswer found,
        ReadBuffer buffer,
        ulong old,
        ulong number
    )
    {
        Span<byte> digits = stackalloc byte[DecimalText.MaxDigits];
        bool isPlain = digits[..DecimalText.Format(old, digits)].SequenceEqual(buffer.Value.WrittenSpan);
        bool setsLife = (request.Terms.Options & CacheTermOptions.SetExpiry) != 0;
        var same = KeyValueCondition.Is(found.Version);
        if (found.Version != 0 && !setsLife && isPlain && old <= long.MaxValue && number <= long.MaxValue)
        {
            KeyValueChange add = KeyValueChange.Add((long)number - (long)old) with { Condition = same };
            return kv.ChangeAsync(KeyOf(request), add);
        }

        byte[] text = digits[..DecimalText.Format(number, digits)].ToArray();
        if (found.Version != 0 && !setsLife && text.Length >= buffer.Value.WrittenCount)
        {
            // Over all of it: its time goes on.
            KeyValueChange over = KeyValueChange.SetRange(0, text) with
            {
                Condition = same,
            };
            return kv.ChangeAsync(KeyOf(request), over);
        }

        bool isNew = found.Version == 0;
        TimeSpan? life =
            isNew ? NewLife(request.Terms.VivifyExpiry)
            : setsLife ? NewLife(request.Terms.Expiry)
            : found.Life;
        var put = new KeyValuePut
        {
            Condition = isNew ? KeyValueCondition.Absent : same,
            Expires = life,
            Metadata = buffer.Beside.WrittenMemory,
        };
        return kv.PutAsync(KeyOf(request), text, put);
    }

    // What is over when it is made is there for the shortest time there is.
    private TimeSpan? NewLife(long expiry) =>
        BackedTerms.LifeOf(expiry, server.TimeProvider, out bool isOver) is var life && isOver
            ? TimeSpan.FromMilliseconds(1)
            : life;

    // Whether what was read says already what comes of it.
    private static bool IsOver(in BackedAnswer found, in CacheTerms terms, CacheStatus missing, out CacheReply reply)
    {
        reply = new CacheReply(found.Reply.Status);
        if (found.Reply.Status == CacheStatus.NotFound)
        {
            reply = new CacheReply(missing);
            return (terms.Options & CacheTermOptions.Vivify) == 0;
        }

        bool hasToken = terms.Cas != 0 && terms.Operation != CacheOperation.GetAndTouch;
        if (found.Reply.Status == CacheStatus.Done && hasToken && terms.Cas != found.Version)
        {
            reply = new CacheReply(CacheStatus.Exists);
            return true;
        }

        return found.Reply.Status != CacheStatus.Done;
    }

    private CacheReply Told(in KeyValueAnswer answer, in CacheTerms terms, int length, TimeSpan? life, bool isNew)
    {
        CacheReply reply = BackedReplies.Of(answer, terms);
        return reply.Status != CacheStatus.Done
            ? reply
            : reply with
            {
                Cas = store.TokenOf(answer.Version),
                Facts = BackedStore.FactsOf(length, life) with
                {
                    Marks = isNew ? CacheItemMarks.IsNew : CacheItemMarks.None,
                },
            };
    }

    private KeyValueKey KeyOf(in CacheRequest request) => new(request.Key, store.Keys.Table);
}
