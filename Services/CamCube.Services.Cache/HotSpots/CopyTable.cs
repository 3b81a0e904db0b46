using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Lending;
using CamCube.Services.Cache.Store;

namespace CamCube.Services.Cache.HotSpots;

/// <summary>
/// Copies of other roots' items. Whether one may be served is decided here alone, by its record; the values lie in a
/// store of their own, where what has no record is never found again and goes with age. Bounded in bytes and number.
/// Loop only.
/// </summary>
internal sealed class CopyTable : IDisposable
{
    // Flushed keys share marks: a copy that was on its way for another key of the same mark is then not kept, which is
    // no harm.
    private const int Marks = 1_024;
    private const int SweepStep = 256;

    // How long a copy is kept beyond its lease, so that a new lease may come without the value.
    private const int KeptLeases = 4;
    private static readonly TimeSpan LongestKept = TimeSpan.FromSeconds(5);
    private readonly IServer _server;
    private readonly CacheCounters _counters;
    private readonly CacheClock _clock;
    private readonly ItemStore _store;
    private readonly CommandRunner _runner;
    private readonly ItemGroup _group = new();
    private readonly Dictionary<Key, CopyRecord> _records = [];
    private readonly Queue<(Key MemId, long EndNanos)> _byEnd = new();
    private readonly Dictionary<Coordinate, long> _lostRoots = [];
    private readonly int _most;
    private readonly long _keptNanos;
    private readonly long _expirySeconds;
    private long[] _flushedNanos = [];
    private long _clearedNanos = long.MinValue;

    public CopyTable(IServer server, CacheOptions options, CacheCounters counters, CacheClock clock, int most = 65_536)
    {
        (_server, _counters, _clock, _most) = (server, counters, clock, most);

        // The service's counters count items of which this server is root.
        var own = new CacheCounters(static (name, unit) => new Counter(name, unit));
        _store = new ItemStore(options.CopyMemory, KeyHash.Create(server), own);
        _runner = new CommandRunner(_store, own, new CasTokens(1, 0), Leases.LargestOf(options));
        TimeSpan kept = options.CopyLease * KeptLeases < LongestKept ? options.CopyLease * KeptLeases : LongestKept;
        _keptNanos = (long)kept.TotalNanoseconds;
        _expirySeconds = (long)(options.CopyLease + kept).TotalSeconds + 2;
    }

    /// <summary>Copies with a lease, or with one that ended a moment ago.</summary>
    public int Count => _records.Count;

    /// <summary>Bytes of copies, and of what is left of them.</summary>
    public long Bytes => _store.Ledger.Bytes;

    /// <summary>Whether there is something that goes with age.</summary>
    public bool HasAny => _records.Count > 0 || _store.Count > 0;

    /// <summary>A read of a copy that may be served now.</summary>
    public bool TryRead(Key memId, ReadOnlySpan<byte> clientKey, out CacheReply reply, out ItemValue value)
    {
        (reply, value) = (default, default);
        if (_records.Count == 0 || !_records.TryGetValue(memId, out CopyRecord record) || !IsValid(record))
        {
            return false;
        }

        if (!TryFind(record, clientKey, out reply, out value))
        {
            return false;
        }

        _counters[CacheCount.CmdGet].Add();
        _counters[CacheCount.GetHits].Add();
        _counters[CacheCount.CopyHits].Add();
        return true;
    }

    /// <summary>The token of what is kept of an item, whether or not it may be served; 0: nothing.</summary>
    public ulong TokenOf(Key memId, ReadOnlySpan<byte> clientKey) =>
        _records.TryGetValue(memId, out CopyRecord record) && TryFind(record, clientKey, out _, out _) ? record.Cas : 0;

    /// <summary>What is kept of an item, if it has this token still. Only for who was told so by the root.</summary>
    public bool TryGetKept(Key memId, ReadOnlySpan<byte> clientKey, ulong cas, out ItemValue value)
    {
        value = default;
        return _records.TryGetValue(memId, out CopyRecord record)
            && record.Cas == cas
            && TryFind(record, clientKey, out _, out value);
    }

    /// <summary>Keeps a copy, if nothing ended it on its way.</summary>
    /// <param name="memId">The item's key.</param>
    /// <param name="clientKey">The client's key.</param>
    /// <param name="value">The value.</param>
    /// <param name="reply">What its root answered.</param>
    /// <param name="root">The root.</param>
    /// <param name="askedNanos">When this server asked for it.</param>
    /// <param name="endNanos">From when on it must not be served.</param>
    public void Put(
        Key memId,
        ReadOnlySpan<byte> clientKey,
        ReadOnlySpan<byte> value,
        in CacheReply reply,
        Coordinate root,
        long askedNanos,
        long endNanos
    )
    {
        if (!TryBegin(memId, reply, root, askedNanos, endNanos, out CopyRecord record))
        {
            return;
        }

        var terms = new CacheTerms
        {
            Operation = CacheOperation.Set,
            Flags = reply.Flags,
            Expiry = _expirySeconds,
        };
        CacheReply stored = _runner.Run(CommandOf(terms, clientKey, value), _clock.Seconds, out _);
        if (stored.Status != CacheStatus.Done)
        {
            Forget(memId);
            return;
        }

        _records[memId] = record with { StoredCas = stored.Cas };
        _byEnd.Enqueue((memId, endNanos));
        Report();
    }

    /// <summary>The same for a value that is kept (<see cref="TryGetKept"/>), whose root gave a new lease.</summary>
    public void Renew(
        Key memId,
        ReadOnlySpan<byte> clientKey,
        in CacheReply reply,
        Coordinate root,
        long askedNanos,
        long endNanos
    )
    {
        if (
            TryBegin(memId, reply, root, askedNanos, endNanos, out CopyRecord record)
            && _records.TryGetValue(memId, out CopyRecord old)
            && old.Cas == reply.Cas
        )
        {
            var terms = new CacheTerms { Operation = CacheOperation.Touch, Expiry = _expirySeconds };
            _runner.Run(CommandOf(terms, clientKey, default), _clock.Seconds, out _);
            _records[memId] = record with { StoredCas = old.StoredCas };
            _byEnd.Enqueue((memId, endNanos));
            _counters[CacheCount.CopiesRenewed].Add();
        }
    }

    /// <summary>Ends the copy of an item, and whatever of it was asked for until now and is still on its way.</summary>
    public void Flush(Key memId)
    {
        if (_flushedNanos.Length == 0)
        {
            _flushedNanos = new long[Marks];
            Array.Fill(_flushedNanos, long.MinValue);
        }

        _flushedNanos[MarkOf(memId)] = _server.NowNanos;
        if (_records.Remove(memId))
        {
            _counters[CacheCount.CopiesFlushed].Add();
            Report();
        }
    }

    /// <summary>Ends all copies of items of a root that was lost (HPDC §5.1).</summary>
    public void FlushRoot(Coordinate root) => _lostRoots[root] = _server.NowNanos;

    /// <summary>Ends all copies, and those on their way.</summary>
    public void Clear()
    {
        _clearedNanos = _server.NowNanos;
        _counters[CacheCount.CopiesFlushed].Add(_records.Count);
        _records.Clear();
        _byEnd.Clear();
        Report();
    }

    /// <summary>Gives memory of ended copies back, a bounded amount at a time.</summary>
    public void Sweep()
    {
        Trim();
        _store.Sweep(SweepStep, _clock.Seconds);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _records.Clear();
        _store.Dispose();
    }

    private Command CommandOf(in CacheTerms terms, ReadOnlySpan<byte> clientKey, ReadOnlySpan<byte> value) =>
        new()
        {
            Terms = terms,
            Hash = _store.HashOf(clientKey),
            Group = _group,
            ClientKey = clientKey,
            Value = value,
        };

    // In a store of copies the client's key is that of one item only, but it may be of another copy than the record is.
    private bool TryFind(in CopyRecord record, ReadOnlySpan<byte> clientKey, out CacheReply reply, out ItemValue value)
    {
        CacheReply found = _runner.Run(
            CommandOf(new CacheTerms { Operation = CacheOperation.Get }, clientKey, default),
            _clock.Seconds,
            out value
        );
        reply = found with { Cas = record.Cas, Facts = record.Facts };
        if (found.Status == CacheStatus.Done && found.Cas == record.StoredCas)
        {
            return true;
        }

        value = default;
        return false;
    }

    private bool TryBegin(
        Key memId,
        in CacheReply reply,
        Coordinate root,
        long askedNanos,
        long endNanos,
        out CopyRecord record
    )
    {
        Trim();
        record = new CopyRecord(root, askedNanos, endNanos, reply.Cas, 0, reply.Facts);
        return MayKeep(memId, record);
    }

    private bool MayKeep(Key memId, in CopyRecord record) =>
        IsValid(record)
        && (_flushedNanos.Length == 0 || record.AskedNanos > _flushedNanos[MarkOf(memId)])
        && !(_records.TryGetValue(memId, out CopyRecord old) && old.EndNanos >= record.EndNanos);

    private static int MarkOf(Key memId) => (int)(memId.Middle % Marks);

    private bool IsValid(in CopyRecord record) =>
        _server.NowNanos < record.EndNanos
        && record.AskedNanos > _clearedNanos
        && !(_lostRoots.Count > 0 && _lostRoots.TryGetValue(record.Root, out long lost) && record.AskedNanos <= lost);

    // In the order in which they came: with leases of different lengths some stay longer, which only costs their place.
    private void Trim()
    {
        while (
            _byEnd.TryPeek(out (Key MemId, long EndNanos) oldest)
            && (oldest.EndNanos + _keptNanos <= _server.NowNanos || _records.Count >= _most)
        )
        {
            _byEnd.Dequeue();
            if (_records.TryGetValue(oldest.MemId, out CopyRecord record) && record.EndNanos == oldest.EndNanos)
            {
                Forget(oldest.MemId);
            }
        }
    }

    private void Forget(Key memId)
    {
        _records.Remove(memId);
        Report();
    }

    private void Report() => _counters[CacheCount.CopiesHeld].Set(_records.Count);
}
