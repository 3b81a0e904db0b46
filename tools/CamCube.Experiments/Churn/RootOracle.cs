using CamCube.Topology;

namespace CamCube.Experiments.Churn;

/// <summary>
/// Who really is root of a key: by the true state of all servers, which no server knows. The rule is that of every
/// server's view (docs/link-state.md): the first server of the key's replica sequence that can be reached and has its
/// keys; if no reachable server has its keys, the first that can be reached. One thread.
/// </summary>
internal sealed class RootOracle
{
    private readonly TorusShape _shape;
    private readonly ReplicaSequences _sequences;
    private readonly bool[] _running;
    private readonly bool[] _hasKeys;
    private readonly int[] _component;
    private readonly int[] _size;
    private readonly bool[] _anyKeys;
    private bool _isStale = true;

    /// <summary>An oracle of a whole cube in which all servers have their keys.</summary>
    public RootOracle(TorusShape shape)
    {
        _shape = shape;
        _sequences = ReplicaSequences.For(shape);
        (_running, _hasKeys) = (new bool[shape.Count], new bool[shape.Count]);
        (_component, _size, _anyKeys) = (new int[shape.Count], new int[shape.Count], new bool[shape.Count]);
        Array.Fill(_running, true);
        Array.Fill(_hasKeys, true);
    }

    /// <summary>Whether the server runs.</summary>
    public bool IsRunning(int rank) => _running[rank];

    /// <summary>The server stopped, without keys, or runs again, still without them.</summary>
    public void SetRunning(int rank, bool running)
    {
        (_running[rank], _hasKeys[rank]) = (running, false);
        _isStale = true;
    }

    /// <summary>The server took its keys or gave them up.</summary>
    public void SetHasKeys(int rank, bool hasKeys)
    {
        _hasKeys[rank] = hasKeys && _running[rank];
        _isStale = true;
    }

    /// <summary>Whether more than half of all servers can be reached from this one.</summary>
    public bool IsInMajority(int rank)
    {
        Refresh();
        return 2 * _size[_component[rank]] > _shape.Count;
    }

    /// <summary>The root of a key as it should be seen from a running server.</summary>
    public int RootOf(ulong route, int from)
    {
        Refresh();
        int component = _component[from];
        Coordinate home = new Key(route, 0, 0).HomeIn(_shape);
        foreach (ushort offset in _sequences.Offsets(ReplicaSequences.IndexOf(route)))
        {
            int rank = _shape.RankOf(_sequences.ServerAt(home, offset));
            if (_running[rank] && _component[rank] == component && (_hasKeys[rank] || !_anyKeys[component]))
            {
                return rank;
            }
        }

        throw new InvalidOperationException($"Server {_shape.At(from)} does not run.");
    }

    // Servers are neighbours if both run: no cable fails here.
    private void Refresh()
    {
        if (!_isStale)
        {
            return;
        }

        _isStale = false;
        Array.Fill(_component, -1);
        Array.Clear(_anyKeys);
        var queue = new Queue<int>();
        for (int first = 0; first < _component.Length; first++)
        {
            if (!_running[first] || _component[first] >= 0)
            {
                continue;
            }

            int size = 0;
            _component[first] = first;
            queue.Enqueue(first);
            while (queue.TryDequeue(out int rank))
            {
                size++;
                _anyKeys[first] |= _hasKeys[rank];
                Coordinate server = _shape.At(rank);
                foreach (Link link in _shape.CabledLinks(server))
                {
                    int neighbour = _shape.RankOf(_shape.Step(server, link));
                    if (_running[neighbour] && _component[neighbour] < 0)
                    {
                        _component[neighbour] = first;
                        queue.Enqueue(neighbour);
                    }
                }
            }

            _size[first] = size;
        }
    }
}
