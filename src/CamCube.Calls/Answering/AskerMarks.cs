namespace CamCube.Calls;

/// <summary>
/// Up to which request a root has forgotten what it answered, per asking server: one run and one number each. What a
/// mark covers is refused. It may cover a request that was never done, which is safe: its asker tries a new number or
/// says that nobody knows. Loop only.
/// </summary>
public sealed class AskerMarks
{
    private readonly Dictionary<Coordinate, (ulong Run, ulong Number)> _marks = [];

    /// <summary>Whether this request is of an earlier run than its asker's mark, or of the same and not behind
    /// it.</summary>
    public bool Cover(in RequestId id) =>
        _marks.TryGetValue(id.Asker, out (ulong Run, ulong Number) mark)
        && (id.Run < mark.Run || (id.Run == mark.Run && id.Number <= mark.Number));

    /// <summary>From now on this request and all before it are covered; a mark never goes back.</summary>
    public void Raise(in RequestId id)
    {
        if (!Cover(id))
        {
            _marks[id.Asker] = (id.Run, id.Number);
        }
    }
}
