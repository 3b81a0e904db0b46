using System.Runtime.InteropServices;
using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.Cache.Backing;
using CamCube.Services.Cache.Lending;
using CamCube.Services.Cache.Ownership;
using CamCube.Services.Cache.Store;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Roots;

/// <summary>
/// What a server does as the root of keys that the key-value store keeps: answers what the store has, lends copies, and
/// knows who may have one (docs/cache.md, "Backed keys"). Normally it decides about the key in the store, too, so that
/// nobody else is asked. Loop only.
/// </summary>
internal sealed class BackedRoot(
    IServer server,
    MessageChannel<CacheHeader> channel,
    BackedStore store,
    KeptValues kept,
    Holdings<ItemGroup> holdings,
    FlushMoment flush,
    LeaseTable leases,
    ChangeGate gate,
    Leases lease
)
{
    private const int Marks = 1_024;
    private const int MostReading = 4_096;
    private readonly RootAnswers _answering = new(server, channel);
    private readonly Refuser<CacheHeader> _refuser = new(server, channel);

    // How often copies had to end, by a part of the key: what was read before may be too old to be lent.
    private readonly ulong[] _ends = new ulong[Marks];
    private int _reading;

    /// <summary>Reads that wait for the store.</summary>
    public int Reading => _reading;

    /// <summary>A read of another server: its client's, or one that it passed on, to get a copy.</summary>
    public void OnRead(in Asked<CacheHeader> asked)
    {
        Key memId = asked.Header.MemId;
        bool isFetch = asked.Header.Kind == (byte)PacketKind.Fetch;
        flush.RunDue();
        Readiness readiness = holdings.Check(
            memId,
            changes: false,
            out Holding<ItemGroup>? holding,
            out long waitNanos
        );
        if (holding is not null && _reading >= MostReading)
        {
            (readiness, holding, waitNanos) = (Readiness.NotYet, null, lease.WaitNanos);
        }

        if (holding is null)
        {
            Refuse(asked, isFetch, readiness, waitNanos);
            return;
        }

        ReadOnlySpan<byte> clientKey = asked.Content[(isFetch ? FetchHead.Size : 0)..];
        ReadBuffer buffer = store.Rent();
        if (store.TryRead(clientKey, buffer, out BackedAnswer answer))
        {
            Answer(asked, isFetch, answer, buffer.Value.WrittenSpan, mayLend: true);
            store.Return(buffer);
        }
        else if (TryKept(clientKey, holding.Held, out answer, out ItemValue value))
        {
            value.CopyTo(buffer.Value.GetSpan(value.Length));
            buffer.Value.Advance(value.Length);
            Answer(asked, isFetch, answer, buffer.Value.WrittenSpan, mayLend: true);
            store.Return(buffer);
        }
        else
        {
            _reading++;
            WaitingCall<CacheHeader> call = asked.Keep(channel);
            server.Loop.Run(() => ReadLaterAsync(call, isFetch, buffer));
        }
    }

    /// <summary>A read of this server's own client, if the value lies among the cache's items.</summary>
    public bool TryKept(Key memId, ReadOnlySpan<byte> clientKey, out BackedAnswer answer, out ItemValue value)
    {
        (answer, value) = (default, default);
        flush.RunDue();
        holdings.Check(memId, changes: false, out Holding<ItemGroup>? holding, out _);
        return holding is not null && TryKept(clientKey, holding.Held, out answer, out value);
    }

    /// <summary>Keeps what was read from the store among the cache's items, if this server decides about the key and
    /// its store has the value on disk only.</summary>
    public void Keep(Key memId, ReadOnlySpan<byte> clientKey, in BackedAnswer answer, ReadOnlySpan<byte> value)
    {
        holdings.Check(memId, changes: false, out Holding<ItemGroup>? holding, out _);
        if (
            holding is null
            || answer.Version == 0
            || !store.TryLook(clientKey, out ulong version, out _)
            || version != answer.Version
        )
        {
            return;
        }

        ReadBuffer buffer = store.Rent();
        if (!store.IsInMemory(clientKey, buffer))
        {
            kept.Keep(clientKey, holding.Held, answer, value);
        }

        store.Return(buffer);
    }

    /// <summary>The store has another value of a key: whether no copy of the earlier one may be served any more. Busy:
    /// some may, and are being ended.</summary>
    public Readiness TryEndCopies(Key memId, ReadOnlySpan<byte> clientKey, out long waitNanos)
    {
        flush.RunDue();
        Readiness readiness = holdings.Check(memId, changes: true, out Holding<ItemGroup>? holding, out waitNanos);
        if (holding is null)
        {
            return readiness;
        }

        // Also what is being read now, before copies are gone: it is not lent.
        _ends[MarkOf(memId)]++;
        if (gate.MustWait(memId))
        {
            return Readiness.Busy;
        }

        kept.Forget(clientKey, holding.Held);
        return Readiness.Ready;
    }

    private bool TryKept(ReadOnlySpan<byte> clientKey, ItemGroup group, out BackedAnswer answer, out ItemValue value)
    {
        (answer, value) = (default, default);
        if (kept.Count == 0 || kept.Find(clientKey, group) is not (not 0 and uint item))
        {
            return false;
        }

        if (!store.TryLook(clientKey, out ulong version, out TimeSpan? life))
        {
            return false;
        }

        if (version != kept.VersionOf(item))
        {
            kept.Forget(clientKey, group);
            return false;
        }

        value = kept.Use(item);
        var reply = new CacheReply(CacheStatus.Done, kept.FlagsOf(item), store.TokenOf(version))
        {
            Facts = BackedStore.FactsOf(value.Length, life),
        };
        answer = new BackedAnswer(reply, version, life);
        store.CountHit(reply);
        return true;
    }

    private async ValueTask ReadLaterAsync(WaitingCall<CacheHeader> call, bool isFetch, ReadBuffer buffer)
    {
        ulong ends = _ends[MarkOf(call.Header.MemId)];
        try
        {
            ReadOnlyMemory<byte> clientKey = call.Content.Memory[(isFetch ? FetchHead.Size : 0)..];
            BackedAnswer answer = await store.ReadAsync(clientKey, buffer);
            ReadOnlySpan<byte> value = buffer.Value.WrittenSpan;
            bool mayLend = ends == _ends[MarkOf(call.Header.MemId)] && IsRoot(call.Header.MemId);
            Answer(Asked<CacheHeader>.Again(call), isFetch, answer, value, mayLend);
            Keep(call.Header.MemId, clientKey.Span, answer, value);
        }
        finally
        {
            _reading--;
            store.Return(buffer);
            call.Content.Return();
        }
    }

    // Whoever became the root meanwhile is asked to end copies, and knows nothing of those that this one lends.
    private bool IsRoot(Key memId) => holdings.Check(memId, changes: false, out _, out _) == Readiness.Ready;

    private void Answer(
        in Asked<CacheHeader> asked,
        bool isFetch,
        in BackedAnswer answer,
        ReadOnlySpan<byte> value,
        bool mayLend
    )
    {
        if (!isFetch)
        {
            _answering.ReplyBytes(asked, answer.Reply, value);
            return;
        }

        Key memId = asked.Header.MemId;
        var copy = new CopyHead { Fetch = MemoryMarshal.Read<FetchHead>(asked.Content) };
        bool isDone = answer.Reply.Status == CacheStatus.Done;
        if (mayLend && isDone && asked.Source != server.Coordinate && gate.MayCopy(memId))
        {
            copy.LeaseNanos = Grant(memId, asked.Source, value.Length, answer.Life);
        }

        copy.FlushStamp = flush.DoneStamp;
        copy.Fetch.IsSame = 0;
        if (isDone && answer.Reply.Cas == copy.Fetch.HasCas && answer.Reply.Cas != 0)
        {
            // A version is of one value only.
            copy.Fetch.IsSame = 1;
            value = default;
        }

        _answering.CopyBytes(asked, copy, asked.Content[FetchHead.Size..], answer.Reply, value);
    }

    // A value's end ends its copies.
    private long Grant(Key memId, Coordinate holder, int length, TimeSpan? life)
    {
        long nanos =
            life is { } left && left < TimeSpan.FromDays(1)
                ? Math.Min(lease.Nanos, (long)left.TotalNanoseconds)
                : lease.Nanos;
        return
            nanos > 2 * lease.DriftNanos
            && length <= lease.LargestValue
            && leases.TryGrant(memId, holder, server.NowNanos + nanos + lease.DriftNanos, server.NowNanos)
            ? nanos
            : 0;
    }

    private void Refuse(in Asked<CacheHeader> asked, bool isFetch, Readiness readiness, long waitNanos)
    {
        if (isFetch)
        {
            _refuser.Refuse(asked, MemoryMarshal.Read<FetchHead>(asked.Content).Asker, readiness, waitNanos);
        }
        else
        {
            _refuser.Refuse(asked, readiness, waitNanos);
        }
    }

    private static int MarkOf(Key memId) => (int)(memId.Middle % Marks);
}
