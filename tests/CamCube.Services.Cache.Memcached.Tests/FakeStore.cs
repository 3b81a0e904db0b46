using System.Globalization;
using System.Text;

namespace CamCube.Services.Cache.Memcached.Tests;

/// <summary>memcached's operations on a dictionary: as short as they can be said.</summary>
internal sealed class FakeStore
{
    // Of memcached's items: header, token, and the ends of key and value.
    private const int MemcachedBytes = 48 + 8 + 1 + 2;

    private const CacheTermOptions Competing =
        CacheTermOptions.Vivify | CacheTermOptions.Recache | CacheTermOptions.WinStale;

    private readonly Dictionary<string, FakeItem> _items = [];
    private readonly Dictionary<string, ulong> _lastCasByKey = [];
    private ulong _lastCas;
    private long _flushAt = long.MaxValue;

    public long Now { get; set; } = 1_000_000_000;

    public int MaxValueLength { get; set; } = 1 << 20;

    /// <summary>Whether tokens are counted for each key, so that they do not depend on the order of commands on
    /// others.</summary>
    public bool CountsTokensByKey { get; set; }

    public void Flush(long delaySeconds)
    {
        if (delaySeconds <= 0)
        {
            _items.Clear();
        }
        else
        {
            _flushAt = ToTime(delaySeconds);
        }
    }

    /// <param name="terms">What to do.</param>
    /// <param name="key">The key.</param>
    /// <param name="value">The value to store.</param>
    /// <param name="read">The value that was read.</param>
    public CacheReply Execute(in CacheTerms terms, string key, byte[] value, out byte[]? read)
    {
        read = null;
        FakeItem? item = Find(key);
        switch (terms.Operation)
        {
            case CacheOperation.Get or CacheOperation.GetAndTouch:
                return Read(terms, key, item, out read);
            case CacheOperation.Inspect:
                return item is null ? new CacheReply(CacheStatus.NotFound) : Done(item);
            case CacheOperation.Delete:
                return Delete(terms, key, item);
            case CacheOperation.Touch:
                if (item is null)
                {
                    return new CacheReply(CacheStatus.NotFound);
                }

                item.ExpiresAt = ToTime(terms.Expiry);
                Use(item);
                return Done(item);
            case CacheOperation.Increment or CacheOperation.Decrement:
                return Count(terms, key, item);
            default:
                return Store(terms, key, item, value);
        }
    }

    private CacheReply Read(in CacheTerms terms, string key, FakeItem? item, out byte[]? read)
    {
        read = null;
        var won = CacheItemMarks.None;
        if (item is null)
        {
            if (!Has(terms, CacheTermOptions.Vivify))
            {
                return new CacheReply(CacheStatus.NotFound);
            }

            item = Put(key, [], Has(terms, CacheTermOptions.BinaryKey));
            item.ExpiresAt = ToTime(terms.VivifyExpiry);
            won = CacheItemMarks.HasWon | CacheItemMarks.IsNew;
        }
        else if (
            !item.IsWinOut
            && (
                (item.IsStale && (terms.Options & Competing) != 0)
                || (
                    Has(terms, CacheTermOptions.Recache)
                    && item.ExpiresAt != long.MaxValue
                    && item.ExpiresAt - Now < terms.RecacheSeconds
                )
            )
        )
        {
            won = CacheItemMarks.HasWon;
        }

        if (terms.Operation == CacheOperation.GetAndTouch)
        {
            item.ExpiresAt = ToTime(terms.Expiry);
        }

        CacheReply reply = Done(item);
        reply = reply with { Facts = reply.Facts with { Marks = reply.Facts.Marks | won } };
        item.IsWinOut |= won != CacheItemMarks.None;
        if (!Has(terms, CacheTermOptions.KeepAge))
        {
            Use(item);
        }

        if (!Has(terms, CacheTermOptions.WithoutValue))
        {
            read = item.Value;
        }

        return reply;
    }

    private CacheReply Delete(in CacheTerms terms, string key, FakeItem? item)
    {
        if (item is null)
        {
            return new CacheReply(CacheStatus.NotFound);
        }

        if (terms.Cas != 0 && terms.Cas != item.Cas)
        {
            return new CacheReply(CacheStatus.Exists);
        }

        if (!Has(terms, CacheTermOptions.Invalidate))
        {
            _items.Remove(key);
            return Done(item);
        }

        if (Has(terms, CacheTermOptions.SetExpiry))
        {
            item.ExpiresAt = ToTime(terms.Expiry);
        }

        (item.IsStale, item.IsWinOut, item.Cas) = (true, false, NextCas(key));
        return Done(item);
    }

    private CacheReply Count(in CacheTerms terms, string key, FakeItem? item)
    {
        if (item is null)
        {
            if (!Has(terms, CacheTermOptions.Vivify))
            {
                return new CacheReply(CacheStatus.NotFound);
            }

            item = Put(key, ToBytes(terms.Initial, 0), Has(terms, CacheTermOptions.BinaryKey));
            item.ExpiresAt = ToTime(Has(terms, CacheTermOptions.SetExpiry) ? terms.Expiry : terms.VivifyExpiry);
            CacheReply made = Done(item);
            return made with
            {
                Number = terms.Initial,
                Facts = made.Facts with { Marks = made.Facts.Marks | CacheItemMarks.IsNew },
            };
        }

        if (item.Value.Length == 0)
        {
            return new CacheReply(CacheStatus.NotANumber);
        }

        if (terms.Cas != 0 && terms.Cas != item.Cas)
        {
            return new CacheReply(CacheStatus.Exists);
        }

        string text = Encoding.Latin1.GetString(item.Value).Trim();
        if (!ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out ulong number))
        {
            return new CacheReply(CacheStatus.NotANumber);
        }

        number =
            terms.Operation == CacheOperation.Increment ? unchecked(number + terms.Delta)
            : number > terms.Delta ? number - terms.Delta
            : 0;
        item.Value = ToBytes(number, item.Value.Length);
        item.Cas = NextCas(key);
        if (Has(terms, CacheTermOptions.SetExpiry))
        {
            item.ExpiresAt = ToTime(terms.Expiry);
        }

        return Done(item) with
        {
            Number = number,
        };
    }

    private CacheReply Store(in CacheTerms terms, string key, FakeItem? item, byte[] value)
    {
        bool replacesStale = Has(terms, CacheTermOptions.Invalidate) && terms.Cas != 0 && terms.Cas < item?.Cas;
        CacheStatus refusal = terms.Operation switch
        {
            CacheOperation.Add => item is null ? CacheStatus.Done : CacheStatus.NotStored,
            CacheOperation.Replace => item is null ? CacheStatus.NotStored : CacheStatus.Done,
            CacheOperation.Append or CacheOperation.Prepend => item is null ? CacheStatus.NotStored
            : terms.Cas == 0 || terms.Cas == item.Cas ? CacheStatus.Done
            : CacheStatus.Exists,
            CacheOperation.CompareAndSwap => item is null ? CacheStatus.NotFound
            : (terms.Cas != 0 && item.Cas == terms.Cas) || replacesStale ? CacheStatus.Done
            : CacheStatus.Exists,
            _ => CacheStatus.Done,
        };
        if (refusal != CacheStatus.Done)
        {
            return new CacheReply(refusal);
        }

        if (terms.Operation is CacheOperation.Append or CacheOperation.Prepend)
        {
            return Lengthen(terms, key, item!, value);
        }

        FakeItem made = Put(key, value, Has(terms, CacheTermOptions.BinaryKey));
        made.Flags = terms.Flags;
        made.ExpiresAt = ToTime(terms.Expiry);
        if (terms.Operation == CacheOperation.CompareAndSwap && terms.Cas != item!.Cas)
        {
            (made.ExpiresAt, made.IsStale, made.IsWinOut) = (item.ExpiresAt, true, item.IsWinOut);
        }

        return Done(made);
    }

    private CacheReply Lengthen(in CacheTerms terms, string key, FakeItem item, byte[] value)
    {
        if (item.Value.Length + value.Length > MaxValueLength)
        {
            return new CacheReply(CacheStatus.TooLarge);
        }

        byte[] whole = terms.Operation == CacheOperation.Append ? [.. item.Value, .. value] : [.. value, .. item.Value];

        // A new item in memcached: what is known of the reading of the old one is gone.
        FakeItem made = Put(key, whole, isBinary: false);
        (made.Flags, made.ExpiresAt) = (item.Flags, item.ExpiresAt);
        return Done(made);
    }

    private FakeItem Put(string key, byte[] value, bool isBinary) =>
        _items[key] = new FakeItem
        {
            KeyLength = key.Length,
            Value = value,
            Cas = NextCas(key),
            UsedAt = Now,
            HasBinaryKey = isBinary,
        };

    private ulong NextCas(string key) =>
        CountsTokensByKey ? _lastCasByKey[key] = _lastCasByKey.GetValueOrDefault(key) + 1 : ++_lastCas;

    private FakeItem? Find(string key)
    {
        if (Now >= _flushAt)
        {
            _items.Clear();
            _flushAt = long.MaxValue;
        }

        if (_items.TryGetValue(key, out FakeItem? item) && Now < item.ExpiresAt)
        {
            return item;
        }

        _items.Remove(key);
        return null;
    }

    private void Use(FakeItem item) => (item.WasRead, item.UsedAt) = (true, Now);

    private CacheReply Done(FakeItem item)
    {
        CacheItemMarks marks =
            (item.WasRead ? CacheItemMarks.WasRead : 0)
            | (item.IsStale ? CacheItemMarks.IsStale : 0)
            | (item.IsWinOut ? CacheItemMarks.IsWinOut : 0)
            | (item.HasBinaryKey ? CacheItemMarks.HasBinaryKey : 0);
        long left = item.ExpiresAt == long.MaxValue ? -1 : Math.Max(0, item.ExpiresAt - Now);
        return new CacheReply(CacheStatus.Done, item.Flags, item.Cas)
        {
            Facts = new CacheItemFacts(item.Value.Length, left, (uint)(Now - item.UsedAt), marks)
            {
                MemoryBytes =
                    MemcachedBytes + item.KeyLength + (item.Flags == 0 ? 0 : sizeof(uint)) + item.Value.Length,
                SizeClass = 1,
            },
        };
    }

    private long ToTime(long expiry) =>
        expiry switch
        {
            0 => long.MaxValue,
            < 0 => Now,
            <= 2_592_000 => Now + expiry,
            _ => expiry,
        };

    private static bool Has(in CacheTerms terms, CacheTermOptions option) => (terms.Options & option) != 0;

    private static byte[] ToBytes(ulong number, int length) =>
        Encoding.Latin1.GetBytes(number.ToString(CultureInfo.InvariantCulture).PadRight(length));
}
