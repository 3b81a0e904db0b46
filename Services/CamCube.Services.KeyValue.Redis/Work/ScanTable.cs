namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>
/// Where scans of this server's clients go on: the store's cursors are texts, and Redis' are numbers. Loop only.
/// </summary>
/// <param name="most">Scans that are remembered; beyond, the one that was asked for the longest time ago is
/// forgotten.</param>
internal sealed class ScanTable(int most)
{
    private readonly Dictionary<ulong, LinkedListNode<(ulong Number, int Table, string Cursor)>> _byNumber = [];
    private readonly LinkedList<(ulong Number, int Table, string Cursor)> _byAge = new();
    private ulong _last;

    /// <summary>Remembers where one goes on.</summary>
    /// <returns>Its number, which is never 0.</returns>
    public ulong Add(int table, string cursor)
    {
        if (_byAge.Count >= most)
        {
            _byNumber.Remove(_byAge.First!.Value.Number);
            _byAge.RemoveFirst();
        }

        _last++;
        _byNumber[_last] = _byAge.AddLast((_last, table, cursor));
        return _last;
    }

    /// <summary>Where one goes on; null: it is not known. It may be asked for again.</summary>
    public string? Find(ulong number, int table)
    {
        if (!_byNumber.TryGetValue(number, out var node) || node.Value.Table != table)
        {
            return null;
        }

        _byAge.Remove(node);
        _byAge.AddLast(node);
        return node.Value.Cursor;
    }
}
