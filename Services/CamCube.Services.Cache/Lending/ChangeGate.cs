using System.Runtime.CompilerServices;
using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Lending;

/// <summary>
/// Lets a change of an item through when no copy of it can be served any more: each holder confirmed that it has none,
/// or its lease is over. Until then reads give the old value, here and there, and nobody gets a new copy. A change that
/// waited goes through all the checks of one that arrives, so it is never done after its deadline (docs/cache.md,
/// "Copies"). Loop only.
/// </summary>
internal sealed class ChangeGate
{
    private const int MostWaiting = 1_024;

    // For own clients' changes, which go on in a later callback.
    private const long GraceNanos = 1_000_000;
    private readonly IServer _server;
    private readonly MessageChannel<CacheHeader> _channel;
    private readonly LeaseTable _leases;
    private readonly CacheCounters _counters;
    private readonly ReplyTable<bool> _own;
    private readonly ServerTimer _timer;
    private readonly long _repeatNanos;
    private readonly long _mostWaitingBytes;
    private readonly Dictionary<Key, PendingFlush> _byKey = [];
    private readonly List<PendingFlush> _inOrder = [];
    private readonly Stack<PendingFlush> _free = new();
    private readonly List<Coordinate> _holders = [];
    private ulong _number;
    private int _waiting;
    private long _waitingBytes;

    public ChangeGate(
        IServer server,
        CacheOptions options,
        MessageChannel<CacheHeader> channel,
        LeaseTable leases,
        CacheCounters counters
    )
    {
        (_server, _channel, _leases, _counters) = (server, channel, leases, counters);
        _own = new ReplyTable<bool>(server);
        _timer = server.CreateTimer(OnTimer);
        _repeatNanos = (long)options.Timeout.TotalNanoseconds / 4;
        _mostWaitingBytes = options.AssemblyMemory / 2;

        // As CAS tokens: no number of an earlier run's, as long as there is less than one per microsecond.
        _number = channel.Run;
    }

    /// <summary>Does a change that waited. Set once, before the first packet.</summary>
    public Action<WaitingCall<CacheHeader>> Resume { get; set; } = static _ => { };

    /// <summary>Flushes that go on.</summary>
    public int Open => _byKey.Count;

    /// <summary>Whether new copies of an item may be given.</summary>
    public bool MayCopy(Key memId) => _byKey.Count == 0 || !_byKey.ContainsKey(memId);

    /// <summary>Whether a change has to wait; then its copies are being flushed from now on.</summary>
    public bool MustWait(Key memId)
    {
        if (_leases.Count == 0 && _byKey.Count == 0)
        {
            return false;
        }

        if (_byKey.TryGetValue(memId, out PendingFlush? flush))
        {
            return !flush.IsDone;
        }

        long now = _server.NowNanos;
        if (!_leases.HasAny(memId, now, out long untilNanos))
        {
            return false;
        }

        flush = _free.TryPop(out PendingFlush? free) ? free : new PendingFlush();
        flush.Begin(memId, ++_number, untilNanos, now + _repeatNanos);
        _byKey.Add(memId, flush);
        _inOrder.Add(flush);
        _counters[CacheCount.ChangesWaited].Add();
        Tell(flush);
        Schedule();
        return true;
    }

    /// <summary>Keeps another server's change until the copies are gone. False: too many wait.</summary>
    public bool TryWait(in Asked<CacheHeader> asked)
    {
        if (_waiting >= MostWaiting || _waitingBytes + asked.Content.Length > _mostWaitingBytes)
        {
            return false;
        }

        _waiting++;
        _waitingBytes += asked.Content.Length;
        _byKey[asked.Header.MemId].Changes.Add(asked.Keep(_channel));
        return true;
    }

    /// <summary>Waits, for a change of this server's own client, until the copies are gone or the time is
    /// over.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder))]
    public async ValueTask WaitAsync(Key memId, long mostNanos)
    {
        if (_byKey.TryGetValue(memId, out PendingFlush? flush) && !flush.IsDone)
        {
            if (!_own.TryAsk(out Replies<bool>? asked))
            {
                // Too many wait already to be told: the time is the bound that always holds.
                await _server.DelayAsync(TimeSpan.FromMicroseconds((mostNanos / 1_000) + 1));
                return;
            }

            using Replies<bool> question = asked;
            flush.Own.Add(question.Id);
            await question.WaitAsync(1, TimeSpan.FromMicroseconds((mostNanos / 1_000) + 1));
        }
    }

    /// <summary>A holder has no copy any more.</summary>
    public void OnFlushed(in IncomingMessage<CacheHeader> message)
    {
        Key memId = message.Header.MemId;
        if (
            _byKey.TryGetValue(memId, out PendingFlush? flush)
            && flush.Number == message.Header.Question
            && !flush.IsDone
        )
        {
            _leases.End(memId, message.Source);
            if (!_leases.HasAny(memId, _server.NowNanos, out _))
            {
                Finish(flush);
                Schedule();
            }
        }
    }

    /// <summary>This server may not be the root of these keys any more: what waits is to hear so at once.</summary>
    public void OnKeysMoved()
    {
        for (int i = _inOrder.Count - 1; i >= 0; i--)
        {
            bool isRoot = _server.Topology.HasKeys && _server.Topology.IsRoot(_inOrder[i].MemId);
            if (!_inOrder[i].IsDone && !isRoot)
            {
                // Copies may still be served: should this server be the root again in a moment, changes wait for them
                // anew.
                PendingFlush flush = _inOrder[i];
                Finish(flush);
                if (flush.IsDone && _byKey.GetValueOrDefault(flush.MemId) == flush)
                {
                    Remove(flush);
                }
            }
        }

        Schedule();
    }

    /// <summary>The service stops: gives memory back.</summary>
    public void Stop()
    {
        _timer.Cancel();
        foreach (PendingFlush flush in _inOrder)
        {
            flush.Changes.ForEach(static change => change.Content.Return());
        }

        _byKey.Clear();
        _inOrder.Clear();
    }

    private void Tell(PendingFlush flush)
    {
        _holders.Clear();
        _leases.AddHolders(flush.MemId, _server.NowNanos, _holders);
        var header = new CacheHeader
        {
            MemId = flush.MemId,
            Question = flush.Number,
            Kind = (byte)PacketKind.CopyFlush,
        };
        foreach (Coordinate holder in _holders)
        {
            _channel.Send(header, default, default, holder);
        }
    }

    private void Finish(PendingFlush flush)
    {
        (flush.IsDone, flush.NextNanos) = (true, _server.NowNanos + GraceNanos);
        foreach (ulong question in flush.Own)
        {
            _own.TryAdd(question, true);
        }

        foreach (WaitingCall<CacheHeader> change in flush.Changes)
        {
            _waiting--;
            _waitingBytes -= change.Content.Length;
            Resume(change);
            change.Content.Return();
        }

        bool isOver = flush.Own.Count == 0;
        flush.Changes.Clear();
        flush.Own.Clear();
        if (isOver)
        {
            Remove(flush);
        }
    }

    private void Remove(PendingFlush flush)
    {
        _byKey.Remove(flush.MemId);
        _inOrder.Remove(flush);
        if (_free.Count < MostWaiting)
        {
            _free.Push(flush);
        }
    }

    private void OnTimer()
    {
        long now = _server.NowNanos;
        for (int i = _inOrder.Count - 1; i >= 0; i--)
        {
            PendingFlush flush = _inOrder[i];
            if (flush.IsDone && now >= flush.NextNanos)
            {
                Remove(flush);
            }
            else if (!flush.IsDone && now >= flush.UntilNanos)
            {
                Finish(flush);
            }
            else if (!flush.IsDone && now >= flush.NextNanos)
            {
                flush.NextNanos = now + _repeatNanos;
                Tell(flush);
            }
        }

        Schedule();
    }

    private void Schedule()
    {
        long next = long.MaxValue;
        foreach (PendingFlush flush in _inOrder)
        {
            next = Math.Min(next, flush.IsDone ? flush.NextNanos : Math.Min(flush.NextNanos, flush.UntilNanos));
        }

        if (next == long.MaxValue)
        {
            _timer.Cancel();
        }
        else
        {
            _timer.ArmAt(next);
        }
    }
}
