using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Store;

/// <summary>
/// All items in the order in which they came, with a second chance for those that were used since: links are in their
/// headers. A use is noted in a header that the reader has at hand anyway; moving an item in a true order of use would
/// touch three other items, which was most of what a read cost. The note tells how long ago the use was, so an item
/// that was only used when it had just come goes as it would in a true order. Loop only.
/// </summary>
internal sealed class UseOrder(ItemChunks items)
{
    private uint _newest;
    private uint _count;

    // Items that came or got a chance so far: the clock of uses.
    private uint _arrivals;

    /// <summary>The item that came, or got a chance, last; 0: there is none.</summary>
    public uint Newest => _newest;

    /// <summary>The item that came, or got a chance, before all others; 0: there is none.</summary>
    public uint Oldest { get; private set; }

    /// <summary>Adds an item as the newest.</summary>
    public void Add(uint item)
    {
        ref ItemHeader header = ref items[item];
        (header.Older, header.Newer, header.UsedAt) = (_newest, 0, ++_arrivals);
        _count++;
        if (_newest != 0)
        {
            items[_newest].Newer = item;
        }
        else
        {
            Oldest = item;
        }

        _newest = item;
    }

    /// <summary>Takes an item out.</summary>
    public void Remove(uint item)
    {
        ref ItemHeader header = ref items[item];
        SetOlder(header.Newer, header.Older);
        SetNewer(header.Older, header.Newer);
        _count--;
    }

    /// <summary>Notes that an item was used.</summary>
    public void Touch(uint item) => items[item].UsedAt = _arrivals;

    /// <summary>
    /// Gives the oldest item its second chance, if it was used while the newer three quarters of the items came: it is
    /// the newest then.
    /// </summary>
    public bool TryGiveChance()
    {
        uint item = Oldest;
        if (item == 0 || _arrivals - items[item].UsedAt >= _count - (_count / 4))
        {
            return false;
        }

        Renew(item);
        return true;
    }

    /// <summary>Makes an item the newest.</summary>
    public void Renew(uint item)
    {
        if (item != _newest)
        {
            Remove(item);
            Add(item);
        }
    }

    /// <summary>There are no items any more.</summary>
    public void Clear() => (_newest, Oldest, _count) = (0, 0, 0);

    /// <summary>An item is in another place now, as a whole.</summary>
    public void Move(uint item)
    {
        ref ItemHeader header = ref items[item];
        SetOlder(header.Newer, item);
        SetNewer(header.Older, item);
    }

    private void SetOlder(uint of, uint item)
    {
        if (of != 0)
        {
            items[of].Older = item;
        }
        else
        {
            _newest = item;
        }
    }

    private void SetNewer(uint of, uint item)
    {
        if (of != 0)
        {
            items[of].Newer = item;
        }
        else
        {
            Oldest = item;
        }
    }
}
