namespace CamCube.Messaging.Pieces;

/// <summary>The last messages that became whole, so that a late piece does not begin one of them anew.</summary>
internal sealed class RecentIds(int size)
{
    private readonly HashSet<MessageId> _known = new(size);
    private readonly MessageId[] _ring = new MessageId[size];
    private int _next;
    private bool _full;

    public bool Contains(MessageId id) => _known.Contains(id);

    public void Add(MessageId id)
    {
        if (!_known.Add(id))
        {
            return;
        }

        if (_full)
        {
            _known.Remove(_ring[_next]);
        }

        _ring[_next++] = id;
        if (_next == _ring.Length)
        {
            (_next, _full) = (0, true);
        }
    }
}
