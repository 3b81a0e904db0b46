namespace CamCube.Services.Tunnel.Sending;

/// <summary>Flows that have a turn, one behind the other. Loop only; allocates nothing.</summary>
internal struct FlowList
{
    private FlowQueue? _last;

    /// <summary>The first one; null: there is none.</summary>
    public FlowQueue? First { get; private set; }

    /// <summary>Adds one that is in no list.</summary>
    public void Add(FlowQueue flow)
    {
        flow.Next = null;
        if (First is null)
        {
            First = flow;
        }
        else
        {
            _last!.Next = flow;
        }

        _last = flow;
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
