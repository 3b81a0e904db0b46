namespace CamCube.Services.Cache.Store;

/// <summary>
/// Numbers of groups. A number is used again when no item can have it any more: after all memory was looked through
/// once from its beginning. Loop only.
/// </summary>
internal sealed class GroupNumbers
{
    private readonly Stack<ushort> _free = new();
    private readonly List<ushort> _waiting = [];
    private readonly List<ushort> _inRound = [];
    private bool[] _isEnded = new bool[16];
    private bool[] _isFlushed = new bool[16];
    private ushort _last;

    /// <summary>Whether items of ended groups may be in memory.</summary>
    public bool HasEnded => _waiting.Count + _inRound.Count > 0;

    /// <summary>Whether items of this group are not to be found any more.</summary>
    public bool IsEnded(ushort number) => _isEnded[number];

    /// <summary>Of an ended group: whether flush_all ended it.</summary>
    public bool IsFlushed(ushort number) => _isFlushed[number];

    /// <summary>Gives a group its number. False: there are 65,535 already.</summary>
    public bool TryNumber(ItemGroup group)
    {
        if (group.Number != 0)
        {
            return true;
        }

        if (!_free.TryPop(out ushort number))
        {
            if (_last == ushort.MaxValue)
            {
                return false;
            }

            number = ++_last;
            if (number == _isEnded.Length)
            {
                Array.Resize(ref _isEnded, Math.Min(2 * number, ushort.MaxValue + 1));
                Array.Resize(ref _isFlushed, _isEnded.Length);
            }
        }

        group.Number = number;
        return true;
    }

    /// <summary>Ends a group.</summary>
    public void End(ItemGroup group, bool isFlush)
    {
        if (group.Number != 0 && !_isEnded[group.Number])
        {
            _isEnded[group.Number] = true;
            _isFlushed[group.Number] = isFlush;
            _waiting.Add(group.Number);
        }
    }

    /// <summary>All memory was looked through since the last call.</summary>
    public void EndRound()
    {
        foreach (ushort number in _inRound)
        {
            _isEnded[number] = false;
            _free.Push(number);
        }

        _inRound.Clear();
        _inRound.AddRange(_waiting);
        _waiting.Clear();
    }
}
