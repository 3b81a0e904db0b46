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

    public void SetLength(long length) => Make(new Change(length));

    public void Sync()
    {
        _unsynced.ForEach(change => change.Make(_safe));
        _unsynced.ForEach(change => _safe.ShareWith(Live, change.At, change.Length));
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

    /// <summary>A write, or a change of the length. Of <see cref="CountedBytes"/> their numbers are kept.</summary>
    public sealed class Change
    {
        private readonly byte[]? _bytes;
        private readonly ulong _first;
        private readonly ulong _step;
        private readonly int _offset;

        /// <summary>A change of the length.</summary>
        public Change(long length) => (At, IsLength) = (length, true);

        /// <summary>A write.</summary>
        /// <param name="at">Where.</param>
        /// <param name="bytes">What; not changed any more.</param>
        public Change(long at, byte[] bytes)
        {
            (At, Length) = (at, bytes.Length);
            bool isCounted =
                bytes.Length >= DiskPage.Size && CountedBytes.TryFind(bytes, out _offset, out _first, out _step);
            _bytes = isCounted ? null : bytes;
        }

        /// <summary>Where, or the new length.</summary>
        public long At { get; }

        /// <summary>How many bytes are written.</summary>
        public int Length { get; }

        /// <summary>How many sectors it touches; 1 if it cannot be torn.</summary>
        public int Sectors => Length == 0 ? 1 : (int)(((At + Length - 1) / Sector) - (At / Sector) + 1);

        private bool IsLength { get; }

        /// <summary>The part of a write in its first sectors; null for none.</summary>
        public Change? First(int sectors)
        {
            long end = ((At / Sector) + sectors) * Sector;
            return sectors <= 0 || IsLength ? null : new Change(At, Bytes((int)Math.Min(Length, end - At)));
        }

        /// <summary>What is written, as far as asked for.</summary>
        public byte[] Bytes(int count)
        {
            byte[] bytes = new byte[count];
            Read(0, bytes);
            return bytes;
        }

        public void Make(DiskBytes to)
        {
            if (IsLength)
            {
                to.SetLength(At);
                return;
            }

            if (_bytes is not null)
            {
                to.Write(At, _bytes);
                return;
            }

            // In pages of the file, which are recognised in their turn.
            Span<byte> page = stackalloc byte[DiskPage.Size];
            for (int at = 0; at < Length; )
            {
                int count = (int)Math.Min(Length - at, DiskPage.Size - ((At + at) % DiskPage.Size));
                Read(at, page[..count]);
                to.Write(At + at, page[..count]);
                at += count;
            }
        }

        private void Read(int from, Span<byte> to)
        {
            if (_bytes is null)
            {
                CountedBytes.Fill(to, _offset + from, _first, _step);
            }
            else
            {
                _bytes.AsSpan(from, to.Length).CopyTo(to);
            }
        }
    }
}
