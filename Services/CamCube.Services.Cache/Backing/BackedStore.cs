using System.Runtime.CompilerServices;
using CamCube.Services.Cache.Counting;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Cache.Backing;

/// <summary>The key-value store of this server as the cache reads it. Its values come to lie in buffers that are used
/// again; the cache's own items are not touched. Loop only.</summary>
internal sealed class BackedStore
{
    private const int MostIdle = 64;

    // A long value must not stay in a buffer for ever.
    private const int MostIdleBytes = 128 << 10;
    private readonly Dependency<IKeyValueStore>? _store;
    private readonly CacheCounters _counters;
    private readonly int _maxValueLength;
    private readonly bool _hasTokens;
    private readonly Stack<ReadBuffer> _idle = new();
    private readonly byte[] _key = new byte[CacheOptions.MaxKeyLength];

    /// <param name="server">The server.</param>
    /// <param name="options">Settings, valid.</param>
    /// <param name="store">The store; null: there is none in this program.</param>
    /// <param name="counters">What is counted.</param>
    public BackedStore(IServer server, CacheOptions options, Dependency<IKeyValueStore>? store, CacheCounters counters)
    {
        (_store, _counters) = (store, counters);
        (_maxValueLength, _hasTokens) = (options.MaxValueLength, options.UseCas);
        Keys = new BackedKeys(options, server.Shape);
    }

    /// <summary>Whose keys it has.</summary>
    public BackedKeys Keys { get; }

    /// <summary>What is not as it should be; null: nothing.</summary>
    public string? Unwell =>
        !Keys.HasAny ? null
        : _store is null || !_store.IsAvailable
            ? "keys with a Backed prefix are refused: the key-value store (service kv) does not run on this server"
        : _store.Value.CopiesOf(Keys.Table) == 0
            ? $"keys with a Backed prefix are refused: the key-value store has no table {Keys.Table} (BackedTable)"
        : null;

    /// <summary>The store that runs here; null: none does.</summary>
    public IKeyValueStore? Running => _store is { IsAvailable: true } ? _store.Value : null;

    /// <summary>Reads at once, without a message: this server decides about the key and has the value in memory. False:
    /// it cannot, and nothing was done.</summary>
    /// <param name="clientKey">The client's key.</param>
    /// <param name="buffer">Gets the value; empty before.</param>
    /// <param name="answer">What is there.</param>
    public bool TryRead(ReadOnlySpan<byte> clientKey, ReadBuffer buffer, out BackedAnswer answer)
    {
        answer = default;
        if (Running is not { } store || !store.TryGet(KeyOf(clientKey), buffer.Value, buffer.Beside, out var found))
        {
            return false;
        }

        answer = AnswerOf(found, buffer);
        Count(answer.Reply);
        return true;
    }

    /// <summary>The version of a key, under the same conditions, wherever its value is; 0: there is no value.</summary>
    public bool TryLook(ReadOnlySpan<byte> clientKey, out ulong version, out TimeSpan? life)
    {
        (version, life) = (0, null);
        if (Running is not { } store || !store.TryGet(KeyOf(clientKey), null, null, out KeyValueAnswer found))
        {
            return false;
        }

        (version, life) = (found.Status == KeyValueStatus.Done ? found.Version : 0, found.Expires);
        return true;
    }

    /// <summary>Whether the store has a key's value in memory here, and so needs no second place.</summary>
    public bool IsInMemory(ReadOnlySpan<byte> clientKey, ReadBuffer buffer) =>
        Running is { } store && store.TryGet(KeyOf(clientKey), buffer.Value, buffer.Beside, out _);

    /// <summary>Reads wherever the store has it. Pooled: await at once and once.</summary>
    /// <param name="clientKey">The client's key, lent until the end.</param>
    /// <param name="buffer">Gets the value; empty before.</param>
    /// <param name="isCounted">It is a client's read, and not part of a change.</param>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<BackedAnswer> ReadAsync(
        ReadOnlyMemory<byte> clientKey,
        ReadBuffer buffer,
        bool isCounted = true
    )
    {
        if (Running is not { } store)
        {
            _counters[CacheCount.BackedFailed].Add(isCounted ? 1 : 0);
            return new BackedAnswer(new CacheReply(CacheStatus.StoreUnavailable));
        }

        KeyValueAnswer found = await store.GetAsync(
            new KeyValueKey(clientKey, Keys.Table),
            KeyValueReads.Latest,
            buffer.Value,
            buffer.Beside
        );
        BackedAnswer answer = AnswerOf(found, buffer);
        if (isCounted)
        {
            Count(answer.Reply);
        }

        return answer;
    }

    /// <summary>A read was answered with a value that this cache had, of the version that the store has.</summary>
    public void CountHit(in CacheReply reply)
    {
        _counters[CacheCount.BackedHits].Add();
        Count(reply);
    }

    /// <summary>An empty buffer, until <see cref="Return"/>.</summary>
    public ReadBuffer Rent() => _idle.TryPop(out ReadBuffer? idle) ? idle : new ReadBuffer();

    /// <summary>A buffer is not used any more.</summary>
    public void Return(ReadBuffer buffer)
    {
        if (_idle.Count < MostIdle && buffer.Value.Capacity <= MostIdleBytes)
        {
            buffer.Clear();
            _idle.Push(buffer);
        }
    }

    /// <summary>The token that clients see of a version.</summary>
    public ulong TokenOf(ulong version) => _hasTokens ? version : 0;

    /// <summary>Facts of a value.</summary>
    public static CacheItemFacts FactsOf(long length, TimeSpan? life) =>
        new((int)length, life is { } left ? (long)Math.Ceiling(left.TotalSeconds) : -1, 0, CacheItemMarks.None);

    // The store takes its bytes as memory.
    private KeyValueKey KeyOf(ReadOnlySpan<byte> clientKey)
    {
        clientKey.CopyTo(_key);
        return new KeyValueKey(_key.AsMemory(0, clientKey.Length), Keys.Table);
    }

    private BackedAnswer AnswerOf(in KeyValueAnswer found, ReadBuffer buffer)
    {
        switch (found.Status)
        {
            case KeyValueStatus.Done when found.Length <= _maxValueLength:
                var reply = new CacheReply(
                    CacheStatus.Done,
                    BesideFlags.Read(buffer.Beside.WrittenSpan),
                    TokenOf(found.Version)
                )
                {
                    Facts = FactsOf(found.Length, found.Expires),
                };
                return new BackedAnswer(reply, found.Version, found.Expires);
            case KeyValueStatus.Done or KeyValueStatus.TooLarge:
                // Others put it, who may put longer ones. No part of it is for who asks here.
                buffer.Clear();
                return new BackedAnswer(new CacheReply(CacheStatus.TooLarge));
            case KeyValueStatus.NotFound:
                return new BackedAnswer(new CacheReply(CacheStatus.NotFound));
            default:
                return new BackedAnswer(new CacheReply(CacheStatus.StoreUnavailable));
        }
    }

    private void Count(in CacheReply reply)
    {
        _counters[CacheCount.BackedReads].Add();
        _counters[CacheCount.CmdGet].Add();
        _counters[CacheCount.GetHits].Add(reply.Status == CacheStatus.Done ? 1 : 0);
        _counters[CacheCount.GetMisses].Add(reply.Status == CacheStatus.NotFound ? 1 : 0);
        _counters[CacheCount.BackedFailed].Add(reply.Status == CacheStatus.StoreUnavailable ? 1 : 0);
    }
}
