namespace CamCube.Simulator.Disks;

/// <summary>The bytes of a file: as they read now, as they are safe, and what lies between.</summary>
internal sealed class FileContent
{
    public const int Sector = 512;
    private readonly DiskBytes _safe = new();
    private readonly List<Change> _unsynced = [];

    public DiskBytes Live { get; } = new();

    public IReadOnlyList<Change> Unsynced => _unsynced;

    public long SafeLength => _safe.Length;

    public void Write(long offset, byte[] bytes) => Make(new Change(offset, bytes));

    public void SetLength(long length) => Make(new Change(length, null));

    public void Sync()
    {
        _unsynced.ForEach(change => change.Make(_safe));
        _unsynced.ForEach(change => _safe.ShareWith(Live, change.At, change.Bytes?.Length ?? 0));
        _unsynced.Clear();
    }

    /// <summary>Turns a bit, on the disk as well.</summary>
    public void Flip(long at, int bit)
    {
        Live[at] ^= (byte)(1 << bit);
        if (at < _safe.Length)
        {
            _safe[at] ^= (byte)(1 << bit);
        }
    }

    /// <summary>Turns a bit of what is safe; what was written over it meanwhile stays as it is.</summary>
    public void Rot(long at, int bit)
    {
        bool isLive = at < Live.Length && Live[at] == _safe[at];
        _safe[at] ^= (byte)(1 << bit);
        if (isLive)
        {
            Live[at] = _safe[at];
        }
    }

    /// <summary>Power failed: what is safe, and of the rest what is said, is there.</summary>
    public void Fail(Func<Change, Change?> surviving)
    {
        foreach (Change change in _unsynced)
        {
            surviving(change)?.Make(_safe);
        }

        _unsynced.Clear();
        Live.CopyFrom(_safe);
    }

    private void Make(Change change)
    {
        change.Make(Live);
        _unsynced.Add(change);
    }

    /// <summary>A write, or a change of the length.</summary>
    /// <param name="At">Where, or the new length.</param>
    /// <param name="Bytes">What; null = a change of the length.</param>
    public sealed record Change(long At, byte[]? Bytes)
    {
        /// <summary>How many sectors it touches; 1 if it cannot be torn.</summary>
        public int Sectors => Bytes is null or [] ? 1 : (int)(((At + Bytes.Length - 1) / Sector) - (At / Sector) + 1);

        /// <summary>The part of a write in its first sectors; null for none.</summary>
        public Change? First(int sectors)
        {
            long end = ((At / Sector) + sectors) * Sector;
            return sectors <= 0 || Bytes is null
                ? null
                : this with
                {
                    Bytes = Bytes[..(int)Math.Min(Bytes.Length, end - At)],
                };
        }

        public void Make(DiskBytes to)
        {
            if (Bytes is null)
            {
                to.SetLength(At);
            }
            else
            {
                to.Write(At, Bytes);
            }
        }
    }
}
