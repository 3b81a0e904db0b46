using System.Buffers;
using System.Globalization;
using System.Text;

namespace CamCube.Services.Cache.Tests.Memcached;

/// <summary>A cache in one dictionary with memcached's semantics and a clock that the test moves.</summary>
internal sealed class FakeCache : ICache
{
    private readonly Dictionary<string, Item> _items = [];
    private ulong _lastCas;
    private long _flushAt = long.MaxValue;

    /// <summary>Seconds; a Unix time beyond 30 days.</summary>
    public long Now { get; set; } = 1_000_000_000;

    public int MaxValueLength { get; set; } = 1 << 20;

    /// <summary>What an operation does instead, if it answers.</summary>
    public Func<CacheRequest, CacheReply?>? Fault { get; set; }

    public List<long> Flushes { get; } = [];

    public List<bool> StatisticsAsked { get; } = [];

    public List<CacheStatistic> Statistics { get; } = [new("curr_items", "7"), new("uptime", "5")];

    public ValueTask<CacheReply> ExecuteAsync(CacheRequest request) => ValueTask.FromResult(Execute(request));

    public bool TryExecute(
        in CacheTerms terms, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ICacheValueReader? reader, out CacheReply reply)
    {
        reply = default;
        return false;
    }

    public ValueTask<CacheReply> FlushAllAsync(long delaySeconds)
    {
        Flushes.Add(delaySeconds);
        if (delaySeconds <= 0)
            _items.Clear();
        else
            _flushAt = Now + delaySeconds;
        return ValueTask.FromResult(Fault?.Invoke(default) ?? default(CacheReply));
    }

    public ValueTask<IReadOnlyList<CacheStatistic>> GetStatisticsAsync(bool wholeCube)
    {
        StatisticsAsked.Add(wholeCube);
        return ValueTask.FromResult<IReadOnlyList<CacheStatistic>>(Statistics);
    }

    private CacheReply Execute(CacheRequest request)
    {
        if (Fault?.Invoke(request) is { } reply)
            return reply;
        string key = Encoding.Latin1.GetString(request.Key.Span);
        Item? item = Find(key);
        switch (request.Terms.Operation)
        {
            case CacheOperation.Get:
            case CacheOperation.GetAndTouch:
                if (item is null)
                    return new CacheReply(CacheStatus.NotFound);
                if (request.Terms.Operation == CacheOperation.GetAndTouch)
                    item.ExpiresAt = ToTime(request.Terms.Expiry);
                request.Into!.Write(item.Value);
                return new CacheReply(CacheStatus.Done, item.Flags, item.Cas);
            case CacheOperation.Delete:
                return new CacheReply(_items.Remove(key) && item is not null ? CacheStatus.Done : CacheStatus.NotFound);
            case CacheOperation.Touch:
                if (item is null)
                    return new CacheReply(CacheStatus.NotFound);
                item.ExpiresAt = ToTime(request.Terms.Expiry);
                return default;
            case CacheOperation.Increment:
            case CacheOperation.Decrement:
                return Count(item, request);
            default:
                return Store(key, item, request);
        }
    }

    private CacheReply Store(string key, Item? item, CacheRequest request)
    {
        CacheStatus refusal = request.Terms.Operation switch
        {
            CacheOperation.Add => item is null ? CacheStatus.Done : CacheStatus.NotStored,
            CacheOperation.Replace or CacheOperation.Append or CacheOperation.Prepend =>
                item is null ? CacheStatus.NotStored : CacheStatus.Done,
            CacheOperation.CompareAndSwap => item is null
                ? CacheStatus.NotFound
                : item.Cas == request.Terms.Cas ? CacheStatus.Done : CacheStatus.Exists,
            _ => CacheStatus.Done,
        };
        if (refusal != CacheStatus.Done)
            return new CacheReply(refusal);

        if (request.Terms.Operation is CacheOperation.Append or CacheOperation.Prepend)
        {
            if (item!.Value.Length + request.Value.Length > MaxValueLength)
                return new CacheReply(CacheStatus.TooLarge);
            item.Value = request.Terms.Operation == CacheOperation.Append
                ? [.. item.Value, .. request.Value.Span]
                : [.. request.Value.Span, .. item.Value];
            item.Cas = ++_lastCas;
            return new CacheReply(CacheStatus.Done, item.Flags, item.Cas);
        }

        if (item is null || item.Value.Length != request.Value.Length)
            _items[key] = item = new Item { Value = request.Value.ToArray() };
        else
            request.Value.CopyTo(item.Value);
        item.Flags = request.Terms.Flags;
        item.ExpiresAt = ToTime(request.Terms.Expiry);
        item.Cas = ++_lastCas;
        return new CacheReply(CacheStatus.Done, item.Flags, item.Cas);
    }

    private CacheReply Count(Item? item, CacheRequest request)
    {
        if (item is null)
            return new CacheReply(CacheStatus.NotFound);
        string text = Encoding.Latin1.GetString(item.Value).Trim();
        if (!ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out ulong number))
            return new CacheReply(CacheStatus.NotANumber);
        number = request.Terms.Operation == CacheOperation.Increment
            ? unchecked(number + request.Terms.Delta)
            : number > request.Terms.Delta ? number - request.Terms.Delta : 0;
        string digits = number.ToString(CultureInfo.InvariantCulture);
        item.Value = Encoding.Latin1.GetBytes(digits.PadRight(item.Value.Length));
        item.Cas = ++_lastCas;
        return new CacheReply(CacheStatus.Done, 0, item.Cas, number);
    }

    private Item? Find(string key)
    {
        if (Now >= _flushAt)
        {
            _items.Clear();
            _flushAt = long.MaxValue;
        }

        if (_items.TryGetValue(key, out Item? item) && Now < item.ExpiresAt)
            return item;
        _items.Remove(key);
        return null;
    }

    private long ToTime(long expiry) => expiry switch
    {
        0 => long.MaxValue,
        < 0 => Now,
        <= 2_592_000 => Now + expiry,
        _ => expiry,
    };

    private sealed class Item
    {
        public byte[] Value { get; set; } = [];

        public uint Flags { get; set; }

        public ulong Cas { get; set; }

        public long ExpiresAt { get; set; }
    }
}
