namespace CamCube.Services.Cache.Store;

/// <summary>
/// All items in the order of use: links are in their headers. An item that is among the newest quarter stays where it is when it is used:
/// moving it touches three other items, which is most of what a read costs, and nobody asks for the order there. Loop only.
/// </summary>
internal sealed class UseOrder(ItemChunks items)
{
    private uint _newest;
    private uint _moves;
    private uint _count;

    /// <summary>The item that was used last; 0: there is none.</summary>
    public uint Newest => _newest;

    /// <summary>The item that was not used for longest; 0: there is none.</summary>
    public uint Oldest { get; private set; }

    /// <summary>Adds an item as the newest.</summary>
    public void Add(uint item)
    {
        ref Internal.ItemHeader header = ref items[item];
        (header.Older, header.Newer, header.Moved) = (_newest, 0, ++_moves);
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
        ref Internal.ItemHeader header = ref items[item];
        SetOlder(header.Newer, header.Older);
        SetNewer(header.Older, header.Newer);
        _count--;
    }

    /// <summary>Makes an item one of the newest.</summary>
    public void Touch(uint item)
    {
        // Every item that is newer by now was moved since, so as many moves ago as that is the most that can be before it.
        if (_moves - items[item].Moved >= _count / 4)
        {
            Renew(item);
        }
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

    /// <summary>An item is in another place now, as a whole.</summary>
    public void Move(uint item)
    {
        ref Internal.ItemHeader header = ref items[item];
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
