namespace CamCube.Services.KeyValue.Requests;

/// <summary>Numbers of the changes that this server waits for.</summary>
internal sealed class OpenNumbers
{
    private readonly SortedSet<ulong> _open = [];
    private ulong _last;

    /// <summary>Up to this number nothing is waited for any more.</summary>
    public ulong Closed => (_open.Count > 0 ? _open.Min : _last + 1) - 1;

    public ulong Begin()
    {
        _open.Add(++_last);
        return _last;
    }

    public void End(ulong number) => _open.Remove(number);
}
