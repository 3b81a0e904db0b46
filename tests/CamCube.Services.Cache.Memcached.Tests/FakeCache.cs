using System.Buffers;
using System.Text;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>A cache in one dictionary with memcached's semantics and a clock that the test moves.</summary>
internal sealed class FakeCache : ICache
{
    private readonly FakeStore _store = new();

    /// <summary>Seconds; a Unix time beyond 30 days.</summary>
    public long Now
    {
        get => _store.Now;
        set => _store.Now = value;
    }

    public int MaxValueLength
    {
        get => _store.MaxValueLength;
        set => _store.MaxValueLength = value;
    }

    /// <inheritdoc cref="FakeStore.CountsTokensByKey"/>
    public bool CountsTokensByKey
    {
        get => _store.CountsTokensByKey;
        set => _store.CountsTokensByKey = value;
    }

    /// <summary>What an operation does instead, if it answers.</summary>
    public Func<CacheRequest, CacheReply?>? Fault { get; set; }

    public List<long> Flushes { get; } = [];

    public List<bool> StatisticsAsked { get; } = [];

    public List<CacheStatistic> Statistics { get; } = [new("curr_items", "7"), new("uptime", "5")];

    public ValueTask<CacheReply> ExecuteAsync(CacheRequest request)
    {
        if (Fault?.Invoke(request) is { } fault)
        {
            return ValueTask.FromResult(fault);
        }

        CacheReply reply = _store.Execute(
            request.Terms,
            Encoding.Latin1.GetString(request.Key.Span),
            request.Value.ToArray(),
            out byte[]? value
        );
        if (value is not null)
        {
            request.Into!.Write(value);
        }

        return ValueTask.FromResult(reply);
    }

    public bool TryExecute(
        in CacheTerms terms,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        ICacheValueReader? reader,
        out CacheReply reply
    )
    {
        reply = _store.Execute(terms, Encoding.Latin1.GetString(key), value.ToArray(), out byte[]? read);
        if (read is not null)
        {
            reader?.TakeValue(reply, read, 0);
        }

        return true;
    }

    public ValueTask<CacheReply> FlushAllAsync(long delaySeconds)
    {
        Flushes.Add(delaySeconds);
        _store.Flush(delaySeconds);
        return ValueTask.FromResult(Fault?.Invoke(default) ?? default(CacheReply));
    }

    public ValueTask<IReadOnlyList<CacheStatistic>> GetStatisticsAsync(bool wholeCube)
    {
        StatisticsAsked.Add(wholeCube);
        return ValueTask.FromResult<IReadOnlyList<CacheStatistic>>(Statistics);
    }
}
