using CamCube.Services.Camdoop.Records;
using CamCube.Trees;

namespace CamCube.Services.Camdoop.Vertices;

/// <summary>
/// Several runs as one, in the order of their keys; of one key first those of the run that was added first. So what it
/// gives depends on its runs only, not on when their records come: it waits until each has one or is over. A record
/// that a run has shown stays until it is taken. Loop only.
/// </summary>
/// <param name="more">Told when there is a record that was not, or it is over.</param>
internal sealed class RunMerge(Action more) : IRecordRun
{
    private readonly List<IRecordRun> _runs = [];

    // Runs that have a record, as a heap with the least on top; others that may get one.
    private readonly List<Head> _heap = [];
    private readonly List<int> _waiting = [];
    private bool _isAsked;
    private bool _isOver;

    /// <inheritdoc/>
    public bool IsOver => _isOver || (_heap.Count == 0 && AreOver());

    /// <summary>Adds a run, before anything is taken.</summary>
    public void Add(IRecordRun run)
    {
        _waiting.Add(_runs.Count);
        _runs.Add(run);
    }

    /// <summary>To be called by a run that has more.</summary>
    public void OnMore()
    {
        // While it is being looked at itself nobody is told.
        if (!_isAsked && !_isOver)
        {
            more();
        }
    }

    /// <inheritdoc/>
    public bool TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
    {
        key = value = default;
        if (_isOver || !LookForMore() || _heap.Count == 0)
        {
            return false;
        }

        return _runs[_heap[0].Run].TryPeek(out key, out value);
    }

    /// <inheritdoc/>
    public void Take()
    {
        int run = _heap[0].Run;
        _runs[run].Take();
        if (_runs[run].TryPeek(out ReadOnlySpan<byte> key, out _))
        {
            _heap[0] = new Head(KeyPrefix.Of(key), run);
            Sink(0);
        }
        else
        {
            RemoveAt(0);
            _waiting.Add(run);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _isOver = true;
        _runs.ForEach(static run => run.Dispose());
    }

    // False: a run has nothing now, and is not over.
    private bool LookForMore()
    {
        _isAsked = true;
        for (int i = _waiting.Count - 1; i >= 0; i--)
        {
            int run = _waiting[i];
            if (_runs[run].TryPeek(out ReadOnlySpan<byte> key, out _))
            {
                _heap.Add(new Head(KeyPrefix.Of(key), run));
                _waiting.RemoveAt(i);
                Rise(_heap.Count - 1);
            }
            else if (_runs[run].IsOver)
            {
                _waiting.RemoveAt(i);
            }
        }

        _isAsked = false;
        return _waiting.Count == 0;
    }

    private bool AreOver()
    {
        foreach (int run in _waiting)
        {
            if (!_runs[run].IsOver)
            {
                return false;
            }
        }

        return true;
    }

    private void RemoveAt(int place)
    {
        int last = _heap.Count - 1;
        _heap[place] = _heap[last];
        _heap.RemoveAt(last);
        if (place < last)
        {
            Sink(place);
            Rise(place);
        }
    }

    private void Sink(int place)
    {
        while (true)
        {
            int child = (2 * place) + 1;
            if (child >= _heap.Count)
            {
                return;
            }

            if (child + 1 < _heap.Count && IsBefore(_heap[child + 1], _heap[child]))
            {
                child++;
            }

            if (!IsBefore(_heap[child], _heap[place]))
            {
                return;
            }

            (_heap[place], _heap[child]) = (_heap[child], _heap[place]);
            place = child;
        }
    }

    private void Rise(int place)
    {
        while (place > 0 && IsBefore(_heap[place], _heap[(place - 1) / 2]))
        {
            int parent = (place - 1) / 2;
            (_heap[place], _heap[parent]) = (_heap[parent], _heap[place]);
            place = parent;
        }
    }

    private bool IsBefore(Head left, Head right)
    {
        if (left.Prefix != right.Prefix)
        {
            return left.Prefix < right.Prefix;
        }

        _ = _runs[left.Run].TryPeek(out ReadOnlySpan<byte> key, out _);
        _ = _runs[right.Run].TryPeek(out ReadOnlySpan<byte> other, out _);
        int order = key.SequenceCompareTo(other);
        return order != 0 ? order < 0 : left.Run < right.Run;
    }

    private readonly record struct Head(ulong Prefix, int Run);
}
