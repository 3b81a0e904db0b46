using System.Globalization;

namespace CamCube.Services.Cache.Tests.Store;

/// <summary>
/// memcached's operations with all that its protocols can ask for, written as plainly as possible after memcached
/// 1.6.18: a dictionary, no limit of memory. Tokens are numbers of its own.
/// </summary>
internal sealed class NaiveCache
{
    private readonly Dictionary<string, Item> _items = [];
    private ulong _tokens;

    /// <summary>Seconds since 1970.</summary>
    public long Now { get; set; }

    public void Flush() => _items.Clear();

    /// <summary>Does one operation.</summary>
    public Outcome Run(in CacheTerms t, string key, string value)
    {
        Item? item =
            _items.TryGetValue(key, out Item? found) && (found.Expires == 0 || found.Expires > Now) ? found : null;
        if (item is null)
        {
            _items.Remove(key);
        }

        bool binary = Has(t, CacheTermOptions.BinaryKey);
        switch (t.Operation)
        {
            case CacheOperation.Inspect:
                return item is null ? new(CacheStatus.NotFound) : Shown(item, item.Marks(), null);
            case CacheOperation.Get or CacheOperation.GetAndTouch:
                return Read(t, key, item, binary);
            case CacheOperation.Touch:
                if (item is null || (t.Cas != 0 && t.Cas != item.Token))
                {
                    return new(item is null ? CacheStatus.NotFound : CacheStatus.Exists);
                }

                CacheItemMarks before = item.Marks();
                item.Expires = Time(t.Expiry);
                item.WasRead |= !Has(t, CacheTermOptions.KeepAge);
                return Shown(item, before, null);
            case CacheOperation.Delete:
                return Delete(t, key, item);
            case CacheOperation.Increment or CacheOperation.Decrement:
                return Count(t, key, item, binary);
            default:
                return Store(t, key, item, value, binary);
        }
    }

    private Outcome Read(in CacheTerms t, string key, Item? item, bool binary)
    {
        bool isNew = item is null;
        if (item is null)
        {
            if (!Has(t, CacheTermOptions.Vivify))
            {
                return new(CacheStatus.NotFound);
            }

            item = _items[key] = new Item
            {
                Expires = Time(t.VivifyExpiry),
                Binary = binary,
                Token = ++_tokens,
            };
        }

        CacheItemMarks marks = item.Marks() | (isNew ? CacheItemMarks.IsNew : 0);
        bool competes =
            Has(t, CacheTermOptions.Vivify) || Has(t, CacheTermOptions.Recache) || Has(t, CacheTermOptions.WinStale);
        bool soon = Has(t, CacheTermOptions.Recache) && item.Expires != 0 && item.Expires < Time(t.RecacheSeconds);
        if (isNew || (competes && !item.Sent && (item.Stale || soon)))
        {
            item.Sent = true;
            marks |= CacheItemMarks.HasWon;
        }

        if (t.Operation == CacheOperation.GetAndTouch && !isNew)
        {
            item.Expires = Time(t.Expiry);
        }

        item.WasRead |= !Has(t, CacheTermOptions.KeepAge);
        return Shown(item, marks, Has(t, CacheTermOptions.WithoutValue) ? null : item.Value);
    }

    private Outcome Delete(in CacheTerms t, string key, Item? item)
    {
        if (item is null || (t.Cas != 0 && t.Cas != item.Token))
        {
            return new(item is null ? CacheStatus.NotFound : CacheStatus.Exists);
        }

        CacheItemMarks before = item.Marks();
        if (!Has(t, CacheTermOptions.Invalidate))
        {
            _items.Remove(key);
            return Shown(item, before, null);
        }

        (item.Stale, item.Sent, item.Token) = (true, false, ++_tokens);
        if (Has(t, CacheTermOptions.SetExpiry))
        {
            item.Expires = Time(t.Expiry);
        }

        return Shown(item, before, null);
    }

    private Outcome Count(in CacheTerms t, string key, Item? item, bool binary)
    {
        if (item is null)
        {
            if (!Has(t, CacheTermOptions.Vivify))
            {
                return new(CacheStatus.NotFound);
            }

            string text = t.Initial.ToString(CultureInfo.InvariantCulture);
            item = new Item
            {
                Value = text,
                Expires = Time(t.VivifyExpiry),
                Binary = binary,
                Token = ++_tokens,
            };
            _items[key] = item;
            return Shown(item, item.Marks() | CacheItemMarks.IsNew, null) with { Number = t.Initial };
        }

        if (item.Value.Length > 0 && t.Cas != 0 && t.Cas != item.Token)
        {
            return new(CacheStatus.Exists);
        }

        if (
            !ulong.TryParse(item.Value.Split(' ')[0], NumberStyles.None, CultureInfo.InvariantCulture, out ulong number)
        )
        {
            return new(CacheStatus.NotANumber);
        }

        CacheItemMarks before = item.Marks();
        number =
            t.Operation == CacheOperation.Increment ? unchecked(number + t.Delta)
            : number < t.Delta ? 0
            : number - t.Delta;
        string digits = number.ToString(CultureInfo.InvariantCulture);
        if (digits.Length > item.Value.Length)
        {
            (item.WasRead, item.Stale, item.Sent, item.Binary) = (false, false, false, item.Binary || binary);
        }

        (item.Value, item.Token) = (digits.PadRight(item.Value.Length), ++_tokens);
        if (Has(t, CacheTermOptions.SetExpiry))
        {
            item.Expires = Time(t.Expiry);
        }

        return Shown(item, before, null) with
        {
            Number = number,
        };
    }

    private Outcome Store(in CacheTerms t, string key, Item? old, string value, bool binary)
    {
        bool swaps =
            t.Operation == CacheOperation.CompareAndSwap
            || (t.Operation is CacheOperation.Set or CacheOperation.Replace && t.Cas != 0);
        bool lengthens = t.Operation is CacheOperation.Append or CacheOperation.Prepend;
        bool stale = false;
        if (old is null)
        {
            if (swaps)
            {
                return new(CacheStatus.NotFound);
            }

            if (t.Operation == CacheOperation.Replace || (lengthens && !Has(t, CacheTermOptions.Vivify)))
            {
                return new(CacheStatus.NotStored);
            }
        }
        else if (t.Operation == CacheOperation.Add)
        {
            return new(CacheStatus.NotStored);
        }
        else if ((swaps || t.Cas != 0) && t.Cas != old.Token)
        {
            stale = swaps && t.Cas != 0 && t.Cas < old.Token && Has(t, CacheTermOptions.Invalidate);
            if (!stale)
            {
                return new(CacheStatus.Exists);
            }
        }

        var item = new Item
        {
            Value = value,
            Flags = t.Flags,
            Expires = Time(t.Expiry),
            Binary = binary,
            Token = ++_tokens,
        };
        CacheItemMarks won = CacheItemMarks.None;
        if (lengthens && old is not null)
        {
            (item.Flags, item.Expires, item.Binary) = (old.Flags, old.Expires, old.Binary || binary);
            item.Value = t.Operation == CacheOperation.Append ? old.Value + value : value + old.Value;
        }
        else if (lengthens)
        {
            (item.Expires, won) = (Time(t.VivifyExpiry), CacheItemMarks.IsNew);
        }
        else if (stale)
        {
            (item.Stale, item.Sent, item.Expires) = (true, old!.Sent, old.Expires);
        }

        _items[key] = item;
        return Shown(item, (item.Marks() & ~CacheItemMarks.IsWinOut) | won, null);
    }

    private static bool Has(in CacheTerms t, CacheTermOptions option) => (t.Options & option) != 0;

    private long Time(long expiry) =>
        expiry switch
        {
            0 => 0,
            < 0 => Now,
            <= 2_592_000 => Now + expiry,
            _ => expiry,
        };

    private Outcome Shown(Item item, CacheItemMarks marks, string? value) =>
        new(CacheStatus.Done)
        {
            Flags = item.Flags,
            Token = item.Token,
            Value = value,
            Facts = (item.Value.Length, item.Expires == 0 ? -1 : Math.Max(0, item.Expires - Now), marks),
        };

    /// <summary>What an operation gave.</summary>
    public readonly record struct Outcome(CacheStatus Status)
    {
        public uint Flags { get; init; }

        public ulong Token { get; init; }

        public ulong Number { get; init; }

        public string? Value { get; init; }

        public (int Length, long SecondsLeft, CacheItemMarks Marks) Facts { get; init; }
    }

    private sealed class Item
    {
        public string Value { get; set; } = "";

        public uint Flags { get; set; }

        public ulong Token { get; set; }

        public long Expires { get; set; }

        public bool WasRead { get; set; }

        public bool Stale { get; set; }

        public bool Sent { get; set; }

        public bool Binary { get; set; }

        public CacheItemMarks Marks() =>
            (WasRead ? CacheItemMarks.WasRead : 0)
            | (Stale ? CacheItemMarks.IsStale : 0)
            | (Sent ? CacheItemMarks.IsWinOut : 0)
            | (Binary ? CacheItemMarks.HasBinaryKey : 0);
    }
}
