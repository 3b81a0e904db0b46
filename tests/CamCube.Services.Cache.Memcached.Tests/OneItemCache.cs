using System.Buffers;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>One item for all keys, and no allocation: what is allocated is the front end's.</summary>
internal sealed class OneItemCache : ICache, IServerGate
{
    private readonly Lock _lock = new();
    private readonly byte[] _value = new byte[1 << 20];
    private int _length;
    private uint _flags;

    public int MaxValueLength => _value.Length;

    public Coordinate Coordinate => default;

    public TorusShape Shape => default;

    public ValueTask<TResult> CallAsync<TService, TArgument, TResult>(
        LoopCall<TService, TArgument, TResult> call,
        TArgument argument
    )
        where TService : class
    {
        lock (_lock)
        {
            return call((TService)(object)this, argument);
        }
    }

    public ValueTask<CommandResult> RunCommandAsync(CommandCall call, CancellationToken cancel = default) =>
        throw new NotSupportedException();

    public ValueTask<CacheReply> ExecuteAsync(CacheRequest request)
    {
        if (request.Terms.Operation == CacheOperation.Get)
        {
            request.Into!.Write(_value.AsSpan(0, _length));
            return new ValueTask<CacheReply>(Done());
        }

        request.Value.Span.CopyTo(_value);
        _length = request.Value.Length;
        _flags = request.Terms.Flags;
        return new ValueTask<CacheReply>(Done());
    }

    private CacheReply Done() =>
        new(CacheStatus.Done, _flags, 1) { Facts = new CacheItemFacts(_length, -1, 0, CacheItemMarks.None) };

    public bool TryExecute(
        in CacheTerms terms,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        ICacheValueReader? reader,
        out CacheReply reply
    )
    {
        reply = default;
        return false;
    }

    public ValueTask<CacheReply> FlushAllAsync(long delaySeconds) => default;

    public ValueTask<IReadOnlyList<CacheStatistic>> GetStatisticsAsync(bool wholeCube) =>
        new(Array.Empty<CacheStatistic>());
}
