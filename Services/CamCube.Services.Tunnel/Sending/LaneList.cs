namespace CamCube.Services.Tunnel.Sending;

/// <summary>Lanes that have a turn, one behind the other. Loop only; allocates nothing.</summary>
internal struct LaneList
{
    private LaneQueue? _last;

    /// <summary>The first one; null: there is none.</summary>
    public LaneQueue? First { get; private set; }

    /// <summary>Adds one that is in no list.</summary>
    public void Add(LaneQueue lane)
    {
        lane.Next = null;
        if (First is null)
        {
            First = lane;
        }
        else
        {
            _last!.Next = lane;
        }

        _last = lane;
    }

    /// <summary>Removes the first one.</summary>
    public void RemoveFirst()
    {
        First = First!.Next;
        _last = First is null ? null : _last;
    }

    /// <summary>Empties it.</summary>
    public void Clear() => (First, _last) = (null, null);
}
