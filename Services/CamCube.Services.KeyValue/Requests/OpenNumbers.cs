namespace CamCube.Services.KeyValue.Requests;

/// <summary>Numbers of the changes that this server waits for: a ring from the least open one to the last, for a set
/// would make an object of each.</summary>
internal sealed class OpenNumbers
{
    private bool[] _isOpen = new bool[64];
    private ulong _least = 1;
    private ulong _next = 1;

    /// <summary>Up to this number nothing is waited for any more.</summary>
    public ulong Closed => _least - 1;

    public ulong Begin()
    {
        if (_next - _least == (ulong)_isOpen.Length)
        {
            Grow();
        }

        _isOpen[PlaceOf(_next)] = true;
        return _next++;
    }

    /// <summary>It is waited for no more. One that is none, or was ended before: nothing.</summary>
    public void End(ulong number)
    {
        if (number < _least || number >= _next)
        {
            return;
        }

        _isOpen[PlaceOf(number)] = false;
        while (_least < _next && !_isOpen[PlaceOf(_least)])
        {
            _least++;
        }
    }

    private int PlaceOf(ulong number) => (int)(number & (ulong)(_isOpen.Length - 1));

    private void Grow()
    {
        bool[] before = _isOpen;
        _isOpen = new bool[before.Length * 2];
        for (ulong number = _least; number < _next; number++)
        {
            _isOpen[PlaceOf(number)] = before[number & (ulong)(before.Length - 1)];
        }
    }
}
