using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// Values that are too long for one record: pieces of 256 KiB, each a record of its own, and an entry that names them
/// by a <see cref="PieceList"/>. They are written first, and are garbage until they are named: who writes them holds
/// them (<see cref="Hold"/>) until the entry does (<see cref="Name"/>), or until he gives up (<see cref="Drop"/>). The
/// owner of the log calls this for all records of the kind. Loop only.
/// </summary>
/// <param name="usage">Where needed bytes are counted.</param>
/// <param name="kind">The kind of records that are pieces.</param>
internal sealed class LogPieces(LogUsage usage, byte kind)
{
    /// <summary>Bytes of the key of a piece.</summary>
    public const int KeyLength = (2 * sizeof(ulong)) + sizeof(uint);

    /// <summary>Bytes of the buffer that a piece is read through.</summary>
    public const int BufferBytes = RecordFormat.HeadLength + KeyLength + PieceList.PieceBytes + 8;

    private readonly Dictionary<PieceId, Set> _sets = [];
    private bool _isFound;

    /// <summary>Values of which there are pieces.</summary>
    public int Count => _sets.Count;

    /// <summary>Whether anything is known of the pieces of a value.</summary>
    public bool Knows(PieceId id) => _sets.ContainsKey(id);

    /// <summary>Forgets all; the usage, too, is begun anew by whoever asks for this.</summary>
    public void Clear() => _sets.Clear();

    /// <summary>Somebody begins to write a value: its pieces are needed from now on.</summary>
    public void Hold(PieceId id) => Need(id, static set => set.IsHeld = true);

    /// <summary>An entry names the pieces: they are needed as long as it is.</summary>
    public void Name(PieceId id) =>
        Need(
            id,
            static set =>
            {
                set.IsNamed = true;
                set.IsHeld = false;
            }
        );

    /// <summary>Nobody needs the pieces any more: they are garbage.</summary>
    public void Drop(PieceId id)
    {
        if (_sets.Remove(id, out Set? set) && set.IsNeeded)
        {
            foreach (LogLocation location in set.Locations)
            {
                Use(location, false);
            }
        }
    }

    /// <summary>All records were found: pieces that no entry names are garbage.</summary>
    public void DropUnnamed()
    {
        _isFound = true;
        foreach (PieceId id in _sets.Where(static s => !s.Value.IsNeeded).Select(static s => s.Key).ToArray())
        {
            _sets.Remove(id);
        }
    }

    /// <summary>Appends a piece. Once it is synced, the owner tells its place
    /// (<see cref="Place(PieceId, int, LogLocation)"/>).</summary>
    /// <param name="log">Where to.</param>
    /// <param name="group">The group that it is for.</param>
    /// <param name="id">The value.</param>
    /// <param name="number">Which piece, from 0.</param>
    /// <param name="piece">Its bytes: <see cref="PieceList.PieceBytes"/>, the last one 1 to so many.</param>
    /// <param name="ticket">Its ticket.</param>
    public LogAnswer Append(
        StoreLog log,
        uint group,
        PieceId id,
        int number,
        ReadOnlySpan<byte> piece,
        out ulong ticket
    )
    {
        ArgumentOutOfRangeException.ThrowIfNegative(number);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(piece.Length, PieceList.PieceBytes);
        Span<byte> key = stackalloc byte[KeyLength];
        BinaryPrimitives.WriteUInt64LittleEndian(key, id.High);
        BinaryPrimitives.WriteUInt64LittleEndian(key[8..], id.Low);
        BinaryPrimitives.WriteUInt32LittleEndian(key[16..], (uint)number);
        return log.Append(new LogRecord { Kind = kind, Group = group }, key, default, piece, LogUse.Put, out ticket);
    }

    /// <summary>A piece lies here: it was found, or synced. Of two places the later call counts.</summary>
    /// <returns>False: the key is none of a piece.</returns>
    public bool Place(ReadOnlySpan<byte> key, LogLocation location)
    {
        if (!TryKey(key, out PieceId id, out int number))
        {
            return false;
        }

        Put(id, number, location);
        return true;
    }

    /// <inheritdoc cref="Place(ReadOnlySpan{byte}, LogLocation)"/>
    public void Place(PieceId id, int number, LogLocation location) => Put(id, number, location);

    /// <summary>Whether all pieces of a value are synced here.</summary>
    public bool IsWhole(PieceList list)
    {
        if (!_sets.TryGetValue(list.Id, out Set? set) || set.Locations.Count < list.Sums.Count)
        {
            return false;
        }

        for (int i = 0; i < list.Sums.Count; i++)
        {
            if (set.Locations[i].Length == 0)
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>The first piece from a number on that is not synced here; as many as there are: none.</summary>
    public int FirstMissing(PieceList list, int from)
    {
        int number = from;
        while (number < list.Sums.Count && LocationOf(list.Id, number).Length > 0)
        {
            number++;
        }

        return number;
    }

    /// <summary>Where a piece lies. Null: it is not here.</summary>
    public LogLocation? PlaceOf(PieceId id, int number) => LocationOf(id, number) is { Length: > 0 } at ? at : null;

    /// <summary>The pieces that are needed and lie in a range of a segment, a part at least.</summary>
    public List<(PieceId Id, int Number)> In(uint segment, long from, long to)
    {
        List<(PieceId, int)> found = [];
        foreach ((PieceId id, Set set) in _sets)
        {
            for (int number = 0; set.IsNeeded && number < set.Locations.Count; number++)
            {
                LogLocation at = set.Locations[number];
                if (at.Length > 0 && at.Segment == segment && at.Offset < to && at.Offset + at.Length > from)
                {
                    found.Add((id, number));
                }
            }
        }

        return found;
    }

    /// <summary>The owner's answer to <see cref="ILogIndex.NeedOf"/> for a record of the kind.</summary>
    public LogNeed NeedOf(ReadOnlySpan<byte> key, LogLocation location) =>
        TryKey(key, out PieceId id, out int number)
        && _sets.TryGetValue(id, out Set? set)
        && set.IsNeeded
        && number < set.Locations.Count
        && set.Locations[number] == location
            ? LogNeed.Copy
            : LogNeed.None;

    /// <summary>The owner was told so of a record of the kind.</summary>
    public void Moved(ReadOnlySpan<byte> key, LogLocation from, LogLocation to)
    {
        if (NeedOf(key, from) == LogNeed.Copy && TryKey(key, out PieceId id, out int number))
        {
            Put(id, number, to);
        }
    }

    /// <summary>Reads a range of a value.</summary>
    /// <param name="log">Where it lies.</param>
    /// <param name="list">What the entry says.</param>
    /// <param name="offset">From which byte on; from the value's length on nothing is read.</param>
    /// <param name="into">Where to.</param>
    /// <param name="buffer">At least <see cref="BufferBytes"/>, the disk's until the task has ended.</param>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<PieceRead> ReadAsync(
        StoreLog log,
        PieceList list,
        long offset,
        Memory<byte> into,
        Memory<byte> buffer
    )
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        int wanted = (int)Math.Clamp(list.Length - offset, 0, into.Length),
            done = 0;
        while (done < wanted)
        {
            int number = (int)((offset + done) / PieceList.PieceBytes),
                skip = (int)((offset + done) % PieceList.PieceBytes);
            LogLocation at = LocationOf(list.Id, number);
            if (at.Length == 0 || at.Length > buffer.Length)
            {
                return new PieceRead(DiskStatus.NotFound, done, number, false);
            }

            LogRead read = await log.ReadAsync(at, buffer, isPiece: true).ConfigureAwait(true);
            if (read.Status == DiskStatus.NotFound && LocationOf(list.Id, number) != at)
            {
                // It was moved meanwhile.
                continue;
            }

            bool isRight =
                !read.IsRotten && read.Value.Length == list.LengthOf(number) && read.ValueSum == list.Sums[number];
            if (read.Status != DiskStatus.Done || !isRight)
            {
                return new PieceRead(
                    read.Status == DiskStatus.Done ? DiskStatus.Failed : read.Status,
                    done,
                    number,
                    read.Status == DiskStatus.Done
                );
            }

            int part = Math.Min(wanted - done, read.Value.Length - skip);
            read.Value.Slice(skip, part).CopyTo(into[done..]);
            done += part;
        }

        return new PieceRead(DiskStatus.Done, done, 0, false);
    }

    /// <summary>Reads a piece. NotFound: it is not here.</summary>
    /// <param name="log">Where it lies.</param>
    /// <param name="id">The value.</param>
    /// <param name="number">Which piece.</param>
    /// <param name="buffer">At least <see cref="BufferBytes"/>, the disk's until the task has ended.</param>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<LogRead> ReadAsync(StoreLog log, PieceId id, int number, Memory<byte> buffer)
    {
        while (true)
        {
            LogLocation at = LocationOf(id, number);
            if (at.Length == 0 || at.Length > buffer.Length)
            {
                return new LogRead { Status = DiskStatus.NotFound };
            }

            LogRead read = await log.ReadAsync(at, buffer, isPiece: true).ConfigureAwait(true);
            if (read.Status != DiskStatus.NotFound || LocationOf(id, number) == at)
            {
                return read;
            }
        }
    }

    /// <summary>The value and the number that the key of a piece says.</summary>
    public static bool TryKey(ReadOnlySpan<byte> key, out PieceId id, out int number)
    {
        (id, number) = (default, 0);
        if (key.Length != KeyLength)
        {
            return false;
        }

        id = new PieceId(
            BinaryPrimitives.ReadUInt64LittleEndian(key),
            BinaryPrimitives.ReadUInt64LittleEndian(key[8..])
        );
        number = (int)BinaryPrimitives.ReadUInt32LittleEndian(key[16..]);
        return number >= 0 && number < PieceList.CountOf(PieceList.MostBytes);
    }

    /// <summary>The values of which there are pieces.</summary>
    public PieceId[] Ids => [.. _sets.Keys];

    /// <summary>Adds where the pieces of a value lie to a snapshot; nothing if they are here no more.</summary>
    public void CopyTo(SnapshotWriter to, PieceId id)
    {
        if (_sets.TryGetValue(id, out Set? set))
        {
            to.Add(1u);
            to.Add(id.High);
            to.Add(id.Low);
            to.Add((uint)set.Locations.Count);
            foreach (LogLocation location in set.Locations)
            {
                to.Add(location);
            }
        }
    }

    /// <summary>Whether all pieces that are needed lie in segments that are there.</summary>
    public bool AreIn(IReadOnlyDictionary<uint, LogSegment> segments)
    {
        foreach (Set set in _sets.Values)
        {
            if (
                set.IsNeeded
                && set.Locations.Exists(l =>
                    l.Length > 0
                    && !(segments.TryGetValue(l.Segment, out LogSegment? s) && l.Offset + (long)l.Length <= s.End)
                )
            )
            {
                return false;
            }
        }

        return true;
    }

    private LogLocation LocationOf(PieceId id, int number) =>
        _sets.TryGetValue(id, out Set? set) && number < set.Locations.Count ? set.Locations[number] : default;

    private void Need(PieceId id, Action<Set> change)
    {
        Set set = SetOf(id);
        bool wasNeeded = set.IsNeeded;
        change(set);
        if (!wasNeeded)
        {
            foreach (LogLocation location in set.Locations)
            {
                Use(location, true);
            }
        }
    }

    private void Put(PieceId id, int number, LogLocation location)
    {
        if (_isFound && !_sets.ContainsKey(id))
        {
            // Dropped before it was synced.
            return;
        }

        Set set = SetOf(id);
        while (set.Locations.Count <= number)
        {
            set.Locations.Add(default);
        }

        if (set.IsNeeded)
        {
            Use(set.Locations[number], false);
            Use(location, true);
        }

        set.Locations[number] = location;
    }

    private Set SetOf(PieceId id)
    {
        if (!_sets.TryGetValue(id, out Set? set))
        {
            _sets[id] = set = new Set();
        }

        return set;
    }

    // Default: it is not there yet.
    private void Use(LogLocation location, bool isNeeded)
    {
        if (location.Length == 0)
        {
            return;
        }

        if (isNeeded)
        {
            usage.Add(location);
        }
        else
        {
            usage.Remove(location);
        }
    }

    private sealed class Set
    {
        public List<LogLocation> Locations { get; } = [];

        public bool IsHeld { get; set; }

        public bool IsNamed { get; set; }

        public bool IsNeeded => IsHeld || IsNamed;
    }
}
