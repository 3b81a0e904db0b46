namespace CamCube.Services.Distribution.Pieces;

/// <summary>The children that read a stripe. Loop only.</summary>
internal sealed class StripeReaders
{
    private readonly List<StripeCursor> _cursors = [];
    private bool _isNotifying;

    /// <summary>Nobody reads it.</summary>
    public bool IsEmpty => _cursors.Count == 0 && !_isNotifying;

    /// <summary>Somebody could take more, and there is nothing for it here.</summary>
    public bool IsOneStarving => _cursors.Exists(static cursor => cursor.IsStarving);

    /// <summary>Somebody reads it.</summary>
    public void Add(StripeCursor cursor) => _cursors.Add(cursor);

    /// <summary>Somebody reads it no more.</summary>
    public void Remove(StripeCursor cursor)
    {
        if (!_isNotifying)
        {
            _cursors.Remove(cursor);
        }
    }

    /// <summary>Whether somebody wants a piece, or the rest of it.</summary>
    public bool IsWanted(int number)
    {
        foreach (StripeCursor cursor in _cursors)
        {
            if (!cursor.HasLeft && cursor.Wanted[number])
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Adds what they want.</summary>
    public void AddWanted(PieceBits to)
    {
        foreach (StripeCursor cursor in _cursors)
        {
            if (!cursor.HasLeft)
            {
                to.AddAll(cursor.Wanted);
            }
        }
    }

    /// <summary>There is more. True: all were told; false: within such a call.</summary>
    public bool Notify()
    {
        bool isOutermost = !_isNotifying;
        _isNotifying = true;
        for (int i = 0; i < _cursors.Count; i++)
        {
            _cursors[i].Work();
        }

        if (isOutermost)
        {
            _isNotifying = false;
            _cursors.RemoveAll(static cursor => cursor.HasLeft);
        }

        return isOutermost;
    }

    /// <summary>A piece is given up: who is in the middle of it takes the rest along.</summary>
    public void TakeAlong(PieceSlot slot)
    {
        foreach (StripeCursor cursor in _cursors.ToArray())
        {
            cursor.TakeAlong(slot);
        }
    }

    /// <summary>All ask elsewhere.</summary>
    public void SendAway()
    {
        foreach (StripeCursor cursor in _cursors.ToArray())
        {
            cursor.SendAway();
        }

        _cursors.Clear();
    }
}
