using System.Runtime.CompilerServices;
using CamCube.Messaging;
using CamCube.Services.Cache.CubeWide;
using CamCube.Services.Cache.Ownership;
using CamCube.Services.Cache.Requests;
using CamCube.Services.Cache.Store;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache;

/// <summary>
/// The distributed cache (HPDC §5.1, SIGCOMM §3.3): memId = SHA-1 of the client's key, the value in memory at the root
/// of memId, reads, writes and deletes done there, items of a failed root gone. A call on any server does its work at
/// the root and comes back; when this server is the root, without a packet. Not done yet: copies of hot items at
/// further keys. docs/cache.md says what is guaranteed when servers fail, and why. Loop only.
/// </summary>
[CamCubeService(0x0110, "cache", Header = typeof(CacheHeader))]
public sealed class CacheService : CamCubeService, ICache, IMessageHandler<CacheHeader>
{
    private readonly IServer _server;
    private readonly CacheOptions _options;
    private readonly MessageChannel<CacheHeader> _channel;
    private readonly Holdings _holdings;
    private readonly Housekeeping _housekeeping;
    private readonly RootSide _root;
    private readonly AskingSide _asking;
    private readonly CubeAsker _asker;
    private readonly CubeCommands _cube;

    /// <summary>The cache of one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Settings, valid.</param>
    public CacheService(IServer server, CacheOptions options)
    {
        (_server, _options) = (server, options);
        _channel = new MessageChannel<CacheHeader>(server, MessageOptionsOf(options), this);
        Counters = new CacheCounters(server.CreateCounter);
        Store = new ItemStore(options.MemoryLimit, KeyHash.Create(server.CreateRandom("key hash")), Counters, options.Evicts);
        _holdings = new Holdings(server, Store, (long)options.TakeoverDelay.TotalNanoseconds);
        Flush = new FlushMoment(server, Empty);
        var tokens = new CasTokens(_channel.Run, server.Shape.RankOf(server.Coordinate), options.UseCas);
        var runner = new CommandRunner(Store, Counters, tokens, options.MaxValueLength);

        // Longer than any operation goes on, so that only their number can push answers out too early.
        long ageNanos = (2 * AskingSide.MostNanos(options, options.MaxValueLength)) + 1_000_000_000;
        Answers = new RecentAnswers(options.RecentAnswers, ageNanos);
        _root = new RootSide(server, _channel, Store, runner, _holdings, Flush, Answers, Counters);
        _housekeeping = new Housekeeping(server, Store, Answers, _root, Counters);
        _asking = new AskingSide(server, options, _channel, _root, Counters);
        _asker = new CubeAsker(server, options, _channel, Flush);
        _cube = new CubeCommands(server, options, _channel, _asker, Flush, Counters);
        Counters[CacheCount.LimitMaxbytes].Set(options.MemoryLimit);
        Counters[CacheCount.Threads].Set(1);
    }

    /// <inheritdoc/>
    public int MaxValueLength => _options.MaxValueLength;

    internal CacheCounters Counters { get; }

    internal ItemStore Store { get; }

    internal FlushMoment Flush { get; }

    internal RecentAnswers Answers { get; }

    internal MessageChannel<CacheHeader> Channel => _channel;

    internal int OpenQuestions => _asking.Open;

    internal Holdings Holdings => _holdings;

    internal uint Now => _root.Now;

    /// <inheritdoc/>
    public ValueTask<CacheReply> ExecuteAsync(CacheRequest request)
    {
        if (!IsAllowed(request.Terms.Operation, request.Key.Length, request.Value.Length, out bool isTooLarge))
        {
            return new ValueTask<CacheReply>(new CacheReply(CacheStatus.TooLarge));
        }

        if (_root.TryRun(MemIdOf(request.Key.Span), request, isTooLarge, out CacheReply reply, out _) == Readiness.Ready)
        {
            _housekeeping.Look();
            return new ValueTask<CacheReply>(reply);
        }

        return _asking.ExecuteAsync(Key.OfBytes(request.Key.Span), request, isTooLarge);
    }

    /// <inheritdoc/>
    public bool TryExecute(
        in CacheTerms terms, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ICacheValueReader? reader, out CacheReply reply)
    {
        if (!IsAllowed(terms.Operation, key.Length, value.Length, out bool isTooLarge))
        {
            reply = new CacheReply(CacheStatus.TooLarge);
            return true;
        }

        if (_root.TryRun(MemIdOf(key), terms, key, value, isTooLarge, out reply, out ItemValue read, out _) != Readiness.Ready)
        {
            return false;
        }

        if (read.IsThere && reader is not null)
        {
            read.GiveTo(reader, reply);
        }

        _housekeeping.Look();
        return true;
    }

    /// <inheritdoc/>
    public ValueTask<CacheReply> FlushAllAsync(long delaySeconds) => _cube.FlushAllAsync(delaySeconds);

    /// <inheritdoc/>
    public ValueTask<IReadOnlyList<CacheStatistic>> GetStatisticsAsync(bool wholeCube) =>
        _cube.GetStatisticsAsync(wholeCube);

    /// <inheritdoc/>
    public CacheStoreNumbers GetStoreNumbers() => StoreReport.Of(Store, _root.Now) with { HasTokens = _options.UseCas };

    /// <inheritdoc/>
    public IReadOnlyList<CacheListedItem> ListItems(int classNumber, int most) => StoreReport.List(Store, _root.Now, classNumber, most);

    /// <inheritdoc/>
    public override void OnStart()
    {
        _channel.Start();
        if (_channel.IsRestarted)
        {
            // The instance before knew of flushes to come; the server kept its keys, so nobody else asks.
            _server.Run(_cube.LearnFlushesAsync);
        }
    }

    /// <inheritdoc/>
    public override void OnStop(StopReason reason)
    {
        _channel.Stop();
        Store.Dispose();
    }

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet) => _channel.OnPacket(hop, packet);

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change)
    {
        _channel.OnTopologyChanged();
        _holdings.OnTopologyChanged(change);
        if (change.Event == TopologyEvent.ServerLost)
        {
            _asking.OnServerLost(change.Server);
        }

        _housekeeping.Look();
    }

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public override async ValueTask OnReturningAsync()
    {
        // Others may have been roots of everything this server has: nothing of it may be found again.
        _holdings.EndAll();
        _housekeeping.Look();
        await _cube.LearnFlushesAsync();
    }

    void IMessageHandler<CacheHeader>.OnMessage(in IncomingMessage<CacheHeader> message)
    {
        switch ((PacketKind)message.Header.Kind)
        {
            case PacketKind.Read:
                _root.OnRead(message);
                break;
            case PacketKind.Change:
                _root.OnChange(message);
                _housekeeping.Look();
                break;
            case PacketKind.Answer:
            case PacketKind.Refusal:
                _asking.OnAnswer(message);
                break;
            case PacketKind.Flush:
                _cube.OnFlush(message);
                break;
            case PacketKind.Flushed:
            case PacketKind.Counted:
                _asker.OnAnswer(message);
                break;
            case PacketKind.Statistics:
                _cube.OnStatistics(message);
                break;
            case PacketKind.FlushQuery:
                _cube.OnFlushQuery(message);
                break;
            case PacketKind.FlushNews:
                _cube.OnFlushNews(message);
                break;
        }
    }

    bool IMessageHandler<CacheHeader>.OnArriving(in CacheHeader header, Coordinate source, int length) =>
        (PacketKind)header.Kind switch
        {
            PacketKind.Change => true,
            PacketKind.Answer => _asking.IsWanted(header),
            _ => false,
        };

    // The only server of a cube is the root of every key: it need not know which.
    private Key MemIdOf(ReadOnlySpan<byte> key) => _server.Shape.Count == 1 ? default : Key.OfBytes(key);

    // Of what is too large, a set still removes what was there.
    private bool IsAllowed(CacheOperation operation, int keyLength, int valueLength, out bool isTooLarge)
    {
        isTooLarge = Stores(operation) && valueLength > _options.MaxValueLength;
        Counters[CacheCount.StoreTooLarge].Add(isTooLarge ? 1 : 0);
        return keyLength is > 0 and <= CacheOptions.MaxKeyLength && (!isTooLarge || operation == CacheOperation.Set);
    }

    private static bool Stores(CacheOperation operation) =>
        operation is >= CacheOperation.Set and <= CacheOperation.CompareAndSwap;

    private static MessageOptions MessageOptionsOf(CacheOptions options) => new()
    {
        MaxLength = options.MaxValueLength + CacheOptions.MaxKeyLength + ChangeHead.Size,
        AssemblyBytes = options.AssemblyMemory,
    };

    private void Empty()
    {
        _holdings.Empty();
        _housekeeping.Look();
    }
}
