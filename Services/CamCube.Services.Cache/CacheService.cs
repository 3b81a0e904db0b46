using System.Runtime.CompilerServices;
using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.Cache.Asking;
using CamCube.Services.Cache.Backing;
using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.CubeWide;
using CamCube.Services.Cache.HotSpots;
using CamCube.Services.Cache.Lending;
using CamCube.Services.Cache.Ownership;
using CamCube.Services.Cache.Roots;
using CamCube.Services.Cache.Store;
using CamCube.Services.Cache.Wire;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Cache;

/// <summary>
/// The distributed cache (HPDC §5.1, SIGCOMM §3.3): memId = SHA-1 of the client's key, the value in memory at the root
/// of memId, reads, writes and deletes done there, items of a failed root gone. A call on any server does its work at
/// the root and comes back; when this server is the root, without a packet. Reads go to the closest of the roots of the
/// item's k + 1 keys, which keep copies. docs/cache.md says what is guaranteed when servers fail, and why. Loop only.
/// </summary>
[CamCubeService(0x0110, "cache", Header = typeof(CacheHeader))]
public sealed class CacheService : CamCubeService, ICache, IServiceCommands, IServiceHealth
{
    private const int MostLeases = 262_144;
    private readonly IServer _server;
    private readonly CacheOptions _options;
    private readonly MessageChannel<CacheHeader> _channel;
    private readonly Holdings<ItemGroup> _holdings;
    private readonly Housekeeping _housekeeping;
    private readonly RootSide _root;
    private readonly LeaseTable _leases = new(MostLeases);
    private readonly ChangeGate _gate;
    private readonly CopyTable _copies;
    private readonly HolderSide _holder;
    private readonly AskingSide _asking;
    private readonly CubeCommands _cube;
    private readonly CacheOrders _orders;
    private readonly MemIds _memIds;
    private readonly BackedAsking _backed;
    private readonly BackedHealth _health;

    /// <summary>The cache of one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Settings, valid.</param>
    /// <param name="store">What keeps the keys that <see cref="CacheOptions.Backed"/> names; null: there is no such
    /// store, and they are refused.</param>
    public CacheService(IServer server, CacheOptions options, Dependency<IKeyValueStore>? store = null)
    {
        (_server, _options) = (server, options);
        Counters = new CacheCounters(server.Counters.Create);
        var messages = new CacheMessages(server.Shape, Counters);
        _channel = new MessageChannel<CacheHeader>(server, MessageOptionsOf(options), messages);
        _memIds = new MemIds(server.Shape);
        Store = new ItemStore(options.MemoryLimit, KeyHash.Create(server), Counters, options.Evicts);
        var rules = new ReplicaRules(options, server.Shape.Count);
        Leases lease = Leases.Of(options, rules.HasAny);
        _holdings = new Holdings<ItemGroup>(
            server,
            new ItemGroups(Store),
            (long)options.TakeoverDelay.TotalNanoseconds,
            lease.WaitNanos
        );
        Flush = new FlushMoment(server, Empty);
        var tokens = new CasTokens(_channel.Run, server.Shape.RankOf(server.Coordinate), options.UseCas);
        var runner = new CommandRunner(Store, Counters, tokens, options.MaxValueLength);

        long ageNanos = options.CallLimits.RememberNanos(options.MaxValueLength);
        Answers = new RememberedAnswers<CacheReply>(options.RecentAnswers, ageNanos);
        var clock = new CacheClock(server);
        _gate = new ChangeGate(server, options, _channel, _leases, Counters);
        _root = new RootSide(
            server,
            _channel,
            Store,
            runner,
            _holdings,
            Flush,
            Answers,
            _leases,
            _gate,
            lease,
            clock,
            Counters
        );
        _gate.Resume = Resume;
        _copies = new CopyTable(server, options, Counters, clock);
        var backing = new BackedStore(server, options, store, Counters);
        _root.Backed = new BackedRoot(
            server,
            _channel,
            backing,
            new KeptValues(Store, clock),
            _holdings,
            Flush,
            _leases,
            _gate,
            lease
        );
        _health = new BackedHealth(server, backing);
        _holder = new HolderSide(server, _channel, _root, _holdings, Flush, _copies, lease, backing.Keys);
        _housekeeping = new Housekeeping(server, Store, Answers, _copies, _root);
        _asking = new AskingSide(
            server,
            options,
            _channel,
            _root,
            _holder,
            new LookupWays(server, rules),
            _gate,
            Counters
        );
        var changes = new BackedWrites(server, options, backing, new BackedRewrites(server, options, backing));
        _backed = new BackedAsking(server, _asking, backing, changes, _root.Backed, rules, lease);
        _cube = new CubeCommands(server, options, _channel, Flush, Counters);
        _orders = new CacheOrders(_cube);
        messages.Bind(_root, _holder, _asking, _gate, _cube, _housekeeping);
        Store.Ledger.TracksSizes = options.TrackSizes;
        Counters[CacheCount.LimitMaxbytes].Set(options.MemoryLimit);
        Counters[CacheCount.Threads].Set(1);
    }

    /// <inheritdoc/>
    public int MaxValueLength => _options.MaxValueLength;

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands => _orders.Commands;

    /// <inheritdoc/>
    public string? Unwell => _health.Words;

    internal CacheCounters Counters { get; }

    internal ItemStore Store { get; }

    internal FlushMoment Flush { get; }

    internal RememberedAnswers<CacheReply> Answers { get; }

    internal MessageChannel<CacheHeader> Channel => _channel;

    internal int OpenQuestions => _asking.Open;

    internal Holdings<ItemGroup> Holdings => _holdings;

    internal CopyTable Copies => _copies;

    internal LeaseTable LeaseTable => _leases;

    internal ChangeGate Gate => _gate;

    /// <summary>A mistake that it makes, for tests; set before it starts: copies are left as they are when the
    /// key-value store has another value.</summary>
    internal bool LeavesCopies
    {
        set => _backed.LeavesCopies = value;
    }

    internal BackedRoot BackedRoot => _root.Backed;

    internal uint Now => _root.Now;

    /// <inheritdoc/>
    public ValueTask<CacheReply> ExecuteAsync(CacheRequest request)
    {
        CacheStatus allowed = Check(
            request.Terms.Operation,
            request.Key.Length,
            request.Value.Length,
            out bool isTooLarge
        );
        if (allowed != CacheStatus.Done)
        {
            return new ValueTask<CacheReply>(new CacheReply(allowed));
        }

        if (request.At is null && _backed.Has(request.Key.Span))
        {
            return _backed.ExecuteAsync(request, isTooLarge);
        }

        Key memId = _memIds.Of(request.Key.Span);
        if (request.At is { } at)
        {
            // Items that lie together are told apart by the rest, also where copies of them are.
            memId = memId with
            {
                Route = at.Route,
            };
        }

        Readiness readiness = _root.TryRun(memId, request, isTooLarge, out CacheReply reply, out _);
        if (readiness == Readiness.Ready)
        {
            NoteLookup(request.Terms);
            _housekeeping.Look();
            return new ValueTask<CacheReply>(reply);
        }

        if (
            readiness == Readiness.NotRoot
            && _holder.TryRead(memId, request.Terms, request.Key.Span, out reply, out ItemValue value)
        )
        {
            NoteLookup(request.Terms);
            bool isWritten = ValueWriter.TryWrite(request.Into, value);
            return new ValueTask<CacheReply>(isWritten ? reply : new CacheReply(CacheStatus.Unavailable));
        }

        return _asking.ExecuteAsync(memId, request, isTooLarge);
    }

    /// <inheritdoc/>
    public bool TryExecute(
        in CacheTerms terms,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        ICacheValueReader? reader,
        out CacheReply reply
    )
    {
        CacheStatus allowed = Check(terms.Operation, key.Length, value.Length, out bool isTooLarge);
        if (allowed != CacheStatus.Done)
        {
            reply = new CacheReply(allowed);
            return true;
        }

        if (_backed.Has(key))
        {
            return _backed.TryRead(terms, key, reader, out reply);
        }

        Key memId = _memIds.Of(key);
        Readiness readiness = _root.TryRun(memId, terms, key, value, isTooLarge, out reply, out ItemValue read, out _);
        if (
            readiness != Readiness.Ready
            && (readiness != Readiness.NotRoot || !_holder.TryRead(memId, terms, key, out reply, out read))
        )
        {
            return false;
        }

        NoteLookup(terms);

        if (read.IsThere && reader is not null)
        {
            read.GiveTo(reader, reply);
        }

        _housekeeping.Look();
        return true;
    }

    /// <inheritdoc/>
    public void Hint(ReadOnlySpan<byte> key) => Store.Hint(key);

    /// <inheritdoc/>
    public void Announce(ReadOnlySpan<byte> key) => Store.Announce(key);

    /// <inheritdoc/>
    public ValueTask<CacheReply> FlushAllAsync(long delaySeconds) => _cube.FlushAllAsync(delaySeconds);

    /// <inheritdoc/>
    public ValueTask<IReadOnlyList<CacheStatistic>> GetStatisticsAsync(bool wholeCube) =>
        _cube.GetStatisticsAsync(wholeCube);

    /// <inheritdoc/>
    public CacheStoreNumbers GetStoreNumbers() => StoreReport.Of(Store, _root.Now) with { HasTokens = _options.UseCas };

    /// <inheritdoc/>
    public bool TrackSizes(bool isOn)
    {
        Store.Ledger.TracksSizes = isOn;
        return true;
    }

    /// <inheritdoc/>
    public bool TrySetMemoryLimit(long bytes)
    {
        // As the options: the largest value has to fit in twice.
        if (bytes < CacheOptions.LeastMemory || _options.MaxValueLength > bytes / 2 || !Store.TrySetLimit(bytes))
        {
            return false;
        }

        Counters[CacheCount.LimitMaxbytes].Set(bytes);
        _housekeeping.Look();
        return true;
    }

    /// <inheritdoc/>
    public IReadOnlyList<CacheListedItem> ListItems(int classNumber, int most) =>
        StoreReport.List(Store, _root.Now, classNumber, most);

    /// <inheritdoc/>
    public override void OnStart()
    {
        _channel.Start();
        _health.Start();
        if (_channel.IsRestarted)
        {
            // It knew of copies, too.
            _holdings.AwaitLeases();

            // The instance before knew of flushes to come; the server kept its keys, so nobody else asks.
            _server.Loop.Run(_cube.LearnFlushesAsync);
        }
    }

    /// <inheritdoc/>
    public override void OnStop(StopReason reason)
    {
        _gate.Stop();
        _health.Stop();
        _channel.Stop();
        _copies.Dispose();
        Store.Dispose();
    }

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet) => _channel.OnPacket(hop, packet);

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change)
    {
        _channel.OnTopologyChanged();
        _holdings.OnTopologyChanged(change);
        _asking.OnTopologyChanged(change);
        if (change.Event == TopologyEvent.ServerLost)
        {
            _copies.FlushRoot(change.Server);
        }

        if (change.Event == TopologyEvent.KeysSuspended)
        {
            _copies.Clear();
        }

        _gate.OnKeysMoved();

        _housekeeping.Look();
    }

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder))]
    public override async ValueTask OnReturningAsync()
    {
        // Others may have been roots of everything this server has: nothing of it may be found again.
        _holdings.EndAll();
        _copies.Clear();
        _housekeeping.Look();
        await _cube.LearnFlushesAsync();
    }

    private void Resume(WaitingCall<CacheHeader> change)
    {
        _root.OnChange(Asked<CacheHeader>.Again(change));
        _housekeeping.Look();
    }

    private void NoteLookup(in CacheTerms terms)
    {
        if (terms.Operation == CacheOperation.Get)
        {
            Counters.AddLookup(0);
        }
    }

    // Done: it may be tried. Of what is too large, a set still removes what was there.
    private CacheStatus Check(CacheOperation operation, int keyLength, int valueLength, out bool isTooLarge)
    {
        isTooLarge = false;
        if (!PacketRules.IsKey(keyLength))
        {
            return CacheStatus.BadKey;
        }

        isTooLarge = Stores(operation) && valueLength > _options.MaxValueLength;
        if (isTooLarge)
        {
            Counters[CacheCount.StoreTooLarge].Add();
        }

        return isTooLarge && operation != CacheOperation.Set ? CacheStatus.TooLarge : CacheStatus.Done;
    }

    private static bool Stores(CacheOperation operation) =>
        operation is >= CacheOperation.Set and <= CacheOperation.CompareAndSwap;

    private static MessageOptions MessageOptionsOf(CacheOptions options) =>
        new()
        {
            MaxLength =
                options.MaxValueLength
                + CacheOptions.MaxKeyLength
                + Math.Max(ChangeHead.Size, CopyHead.Size + AnswerHead.Size),
            AssemblyBytes = options.AssemblyMemory,
        };

    private void Empty()
    {
        _holdings.Empty();
        _copies.Clear();
        _housekeeping.Rest();
        _housekeeping.Look();
    }
}
