namespace CamCube.Services.Distribution.Pieces;

/// <summary>
/// Which file reads or writes next on the server's disk: they have turns by the weights of their jobs, in bytes
/// (start-time fair queueing, Goyal 1996). A disk does what it is asked for in order, so where it is slower than the
/// links each job would get as much of it as any other, and of the links no more than that. Loop only.
/// </summary>
internal sealed class DiskTurns
{
    /// <summary>Operations that the disk has at a time; others wait here. A disk is busy with them; with more of them
    /// weights would mean less.</summary>
    public const int Most = 4;

    private readonly List<TurnedFile> _waiting = [];
    private double _now;
    private int _most = Most;
    private long _ended;
    private long _endedBefore = -1;

    /// <summary>Operations that the disk has.</summary>
    public int UnderWay { get; private set; }

    /// <summary>Files that wait for their turn.</summary>
    public int Waiting => _waiting.Count;

    /// <summary>Whether an operation of a file begins at once. False: the file is to wait.</summary>
    public bool TryBegin(TurnedFile file, int bytes)
    {
        if (UnderWay >= _most)
        {
            return false;
        }

        Charge(file, bytes);
        return true;
    }

    /// <summary>A file waits that did not before.</summary>
    public void Add(TurnedFile file)
    {
        // Who did not want the disk for a while has no claim to what it did not use.
        file.Turn = Math.Max(file.Turn, _now);
        _waiting.Add(file);
    }

    /// <summary>An operation has ended: others may begin.</summary>
    public void End()
    {
        UnderWay--;
        _ended++;
        _most = UnderWay == 0 ? Most : _most;
        Begin();
    }

    /// <summary>Looks after it, now and then: operations that never end hold up nobody else.</summary>
    public void Look()
    {
        bool isStuck = _waiting.Count > 0 && _ended == _endedBefore;
        _endedBefore = _waiting.Count > 0 ? _ended : -1;
        if (isStuck)
        {
            _most = UnderWay + Most;
            Begin();
        }
    }

    private void Begin()
    {
        while (UnderWay < _most && _waiting.Count > 0)
        {
            TurnedFile next = _waiting[0];
            foreach (TurnedFile file in _waiting)
            {
                next = file.Turn < next.Turn ? file : next;
            }

            DiskTurn turn = next.TakeNext(out bool isLast);
            Charge(next, turn.Bytes);
            if (isLast)
            {
                _waiting.Remove(next);
            }

            turn.Begin();
        }
    }

    private void Charge(TurnedFile file, int bytes)
    {
        UnderWay++;
        _now = Math.Max(_now, file.Turn);
        file.Turn = _now + ((double)bytes / file.Weight);
    }
}
