namespace CamCube.Swarm.Exploration;

/// <summary>Numbers for things that are equal by what they say: they stand for them in packed states.</summary>
internal sealed class Interned<T>
{
    private readonly Dictionary<string, int> _ids = [];
    private readonly List<T> _all = [];

    public T this[int id] => _all[id];

    public int Count => _all.Count;

    public int Of(T value, string text)
    {
        if (!_ids.TryGetValue(text, out int id))
        {
            id = _all.Count;
            _ids.Add(text, id);
            _all.Add(value);
        }

        return id;
    }
}
