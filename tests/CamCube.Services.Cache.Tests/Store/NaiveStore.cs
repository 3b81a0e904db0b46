using CamCube.Services.Cache.Store;

namespace CamCube.Services.Cache.Tests.Store;

/// <summary>What the store does, written as plainly as possible: a list in order of use.</summary>
internal sealed class NaiveStore(long limit)
{
    private readonly List<(string Key, string Value, long Expires)> _items = [];

    public uint Now { get; set; }

    public int Count => _items.Count;

    public long Bytes => _items.Sum(i => Item.CostOf(i.Key.Length, i.Value.Length));

    public string? Get(string key)
    {
        if (Find(key) is not { } i)
        {
            return null;
        }

        (string Key, string Value, long Expires) item = _items[i];
        _items.RemoveAt(i);
        _items.Add(item);
        return item.Value;
    }

    public void Set(string key, string value, long expiry)
    {
        if (Find(key) is { } i)
        {
            _items.RemoveAt(i);
        }

        _items.Add((key, value, Expires(expiry)));
        while (Bytes > limit)
        {
            _items.RemoveAt(0);
        }
    }

    public bool Delete(string key)
    {
        if (Find(key) is not { } i)
        {
            return false;
        }

        _items.RemoveAt(i);
        return true;
    }

    public bool Touch(string key, long expiry)
    {
        if (Find(key) is not { } i)
        {
            return false;
        }

        (string _, string value, long _) = _items[i];
        _items.RemoveAt(i);
        _items.Add((key, value, Expires(expiry)));
        return true;
    }

    public void Clear() => _items.Clear();

    private long Expires(long expiry) => expiry == 0 ? long.MaxValue : Now + expiry;

    private int? Find(string key)
    {
        int i = _items.FindIndex(item => item.Key == key);
        if (i >= 0 && _items[i].Expires <= Now)
        {
            _items.RemoveAt(i);
            return null;
        }

        return i < 0 ? null : i;
    }
}
