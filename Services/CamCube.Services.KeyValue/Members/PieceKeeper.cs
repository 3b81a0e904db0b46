using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>
/// Knows which pieces of values are needed: those that a record names which is needed itself, those that somebody
/// reads or writes, and each for a time after its last use, so that a writer finds what it wrote, and a reader what it
/// began to read. All others are garbage. Loop only.
/// </summary>
/// <param name="pieces">Where they lie.</param>
/// <param name="now">The time, in nanoseconds.</param>
/// <param name="keepNanos">How long they are kept after the last use.</param>
internal sealed class PieceKeeper(LogPieces pieces, Func<long> now, long keepNanos)
{
    private readonly Dictionary<LogLocation, PieceId> _named = [];
    private readonly Dictionary<PieceId, Use> _uses = [];

    // Of those that are needed there may be millions.
    private readonly Dictionary<PieceId, Use> _unused = [];

    /// <summary>Where they lie.</summary>
    public LogPieces Pieces => pieces;

    /// <summary>Values whose pieces are kept now without a use.</summary>
    public int Unused => _unused.Count;

    /// <summary>Somebody uses the pieces of a value, as far as they are here.</summary>
    public void Begin(PieceId id)
    {
        if (!_uses.TryGetValue(id, out Use? use))
        {
            _uses[id] = use = new Use();
            pieces.Hold(id);
        }

        use.Count++;
        _unused.Remove(id);
    }

    /// <summary>That is over.</summary>
    /// <param name="id">The value.</param>
    /// <param name="isVoid">Nobody will ever name them: they go at once.</param>
    public void End(PieceId id, bool isVoid = false)
    {
        if (_uses.TryGetValue(id, out Use? use))
        {
            use.Count--;
            use.UntilNanos = now() + keepNanos;
            if (use.Count > 0)
            {
                return;
            }

            _unused[id] = use;
            if (isVoid)
            {
                Drop(id);
            }
        }
    }

    /// <summary>A record that is needed lies here.</summary>
    public void Named(LogLocation at, Operation? operation)
    {
        if (operation?.Pieces is { } list)
        {
            Named(at, list.Id);
        }
    }

    /// <summary>Records name pieces.</summary>
    public bool HasNamed => _named.Count > 0;

    /// <summary>The value whose pieces a record names.</summary>
    public PieceId NamedBy(LogLocation at) => _named.GetValueOrDefault(at);

    /// <summary>A record that is needed lies here, and names the pieces of a value.</summary>
    public void Named(LogLocation at, PieceId id)
    {
        if (_named.TryAdd(at, id))
        {
            Begin(id);
        }
    }

    /// <summary>A record is needed no more.</summary>
    public void Forgotten(LogLocation at)
    {
        if (_named.Remove(at, out PieceId id))
        {
            End(id);
        }
    }

    /// <summary>A record that names the pieces of a value, and is needed. Null: none is.</summary>
    public LogLocation? NamedAt(PieceId id)
    {
        // For what rots: seldom, so nothing is kept for it.
        foreach ((LogLocation at, PieceId named) in _named)
        {
            if (named == id)
            {
                return at;
            }
        }

        return null;
    }

    /// <summary>A record lies elsewhere.</summary>
    public void Moved(LogLocation from, LogLocation to)
    {
        if (_named.Remove(from, out PieceId id))
        {
            _named[to] = id;
        }
    }

    /// <summary>Drops what was not used for long.</summary>
    /// <param name="isFull">What is not used goes at once: there is no room.</param>
    public void Sweep(bool isFull)
    {
        long time = now();
        foreach ((PieceId id, Use use) in _unused)
        {
            if (isFull || use.UntilNanos <= time)
            {
                Drop(id);
            }
        }
    }

    /// <summary>Forgets all.</summary>
    public void Clear()
    {
        _named.Clear();
        _uses.Clear();
        _unused.Clear();
        pieces.Clear();
    }

    private void Drop(PieceId id)
    {
        _unused.Remove(id);
        _uses.Remove(id);
        pieces.Drop(id);
    }

    private sealed class Use
    {
        public int Count { get; set; }

        public long UntilNanos { get; set; }
    }
}
