namespace CamCube.Services.KeyValue.Log;

/// <summary>Reads all segments at the start, in order, and changes nothing before it has seen all.</summary>
internal sealed class LogScan(IServer server, ILogOwner owner, StoreFile store, LogOptions options)
{
    private readonly List<LogDamage> _damage = [];
    private readonly List<(uint Segment, long At)> _ends = [];
    private readonly List<string> _stale = [];
    private readonly NumberRanges _lost = store.Notes.Batches.Copy();
    private readonly HashSet<LogDamage> _known = [.. store.Notes.Damage];
    private readonly SegmentWindow _window = new(SegmentWindow.Ahead);
    private readonly HashSet<uint> _hints = [];

    /// <summary>The file that says whose it is.</summary>
    public StoreFile Store => store;

    /// <summary>The room on the disk.</summary>
    public LogRoom Room { get; } = new(server, options);

    public IReadOnlyList<LogDamage> Damage => _damage;

    /// <summary>The segments.</summary>
    public SortedDictionary<uint, LogSegment> Segments { get; } = [];

    /// <summary>The number of the last batch.</summary>
    public ulong Last { get; private set; }

    /// <summary>The number of the last segment that is, or was, there.</summary>
    public uint LastSegment { get; private set; }

    public long Records { get; private set; }

    /// <summary>Segments of which the end was torn.</summary>
    public int Torn { get; private set; }

    /// <summary>Segments that were not read, for their hint was.</summary>
    public int Hints { get; private set; }

    /// <summary>Hints that could not be used.</summary>
    public int IgnoredHints { get; private set; }

    /// <summary>Where the last batch lies, if one was read.</summary>
    public LogMark EndMark { get; private set; }

    /// <summary>How far the log is known without being read; default: it is not.</summary>
    public LogMark Mark { get; private set; }

    /// <summary>If it must not be used, why.</summary>
    public string Refusal { get; private set; } = "";

    /// <summary>What the store says of itself once this damage is known.</summary>
    public StoreNotes NotesWith(ulong id) =>
        store.Notes with
        {
            Store = id,
            IsPending = owner.BeginsAnew,
            Segments = WithLost(),
            Batches = _lost,
            Damage = [.. store.Notes.Damage.Concat(_damage.Where(static d => d.End > 0)).Distinct()],
        };

    /// <summary>Something else is wrong than what is found in the segments.</summary>
    public void Note(LogDamage damage) => _damage.Add(damage);

    private bool IsLastLost =>
        store.Notes.Begun is var last and > 0
        && !Segments.ContainsKey(last)
        && !store.Notes.Segments.Contains(last, last);

    /// <summary>Opens all segments and looks whose they are. Nothing is read from them yet.</summary>
    public async ValueTask<DiskStatus> Open(IEnumerable<DiskEntry> entries)
    {
        NumberRanges gone = store.Notes.Segments;
        LastSegment = Math.Max(store.Notes.Begun, gone.Count > 0 ? (uint)gone[gone.Count - 1].Last : 0);

        byte[] sector = new byte[Sectors.Size];
        foreach (DiskEntry entry in entries)
        {
            if (SegmentFormat.TryHint(entry.Name, out uint hint))
            {
                _hints.Add(hint);
            }

            if (!SegmentFormat.TryNumber(entry.Name, out uint segment))
            {
                continue;
            }

            LastSegment = Math.Max(LastSegment, segment);
            if (gone.Contains(segment, segment))
            {
                // A power failure came before its name was gone.
                _stale.Add(entry.Name);
                continue;
            }

            DiskResult<IDiskFile> opened = await store.Disk.OpenAsync(entry.Name, create: false).ConfigureAwait(true);
            if (opened.Value is not { } file)
            {
                return opened.Status;
            }

            Segments[segment] = new LogSegment(segment, file);
            DiskResult<int> read = await file.ReadAsync(0, sector).ConfigureAwait(true);
            if (!read.IsDone)
            {
                return read.Status;
            }

            sector.AsSpan(read.Value).Clear();
            Look(entry.Name, segment, file, sector);
        }

        if (IsLastLost)
        {
            _damage.Add(new LogDamage(LogDamageKind.Missing, store.Notes.Begun, 0));
        }

        foreach (uint hint in _hints.Where(hint => !Segments.ContainsKey(hint)).Order())
        {
            _stale.Add(SegmentFormat.HintOf(hint));
            IgnoredHints += gone.Contains(hint, hint) ? 0 : 1;
        }

        return DiskStatus.Done;
    }

    /// <summary>What is before a mark is known.</summary>
    /// <param name="mark">The mark.</param>
    /// <param name="segments">The segments that are there up to it.</param>
    public void Begin(LogMark mark, IEnumerable<MarkedSegment> segments)
    {
        (Mark, EndMark, Last) = (mark, mark, mark.Last);
        foreach (MarkedSegment marked in segments)
        {
            LogSegment segment = Segments[marked.Number];
            segment.Take(marked);
            segment.HasHint = marked.Number != mark.Segment && _hints.Contains(marked.Number);
        }
    }

    /// <summary>A file is of no use.</summary>
    public void Drop(string name) => _stale.Add(name);

    /// <summary>Nothing is read from it any more.</summary>
    public void Close()
    {
        foreach (LogSegment segment in Segments.Values)
        {
            segment.File.Close();
        }
    }

    /// <summary>Reads all segments, or what is behind the mark, and gives the records to the owner.</summary>
    public async ValueTask<DiskStatus> Run()
    {
        foreach (LogSegment segment in Segments.Values)
        {
            if (segment.Number < Mark.Segment)
            {
                continue;
            }

            DiskStatus status =
                options.UsesHints && segment.Number != Mark.Segment && _hints.Contains(segment.Number)
                    ? await ReadHint(segment).ConfigureAwait(true)
                    : DiskStatus.Done;
            if (status == DiskStatus.Done && !segment.HasHint)
            {
                status = await Run(segment).ConfigureAwait(true);
            }

            if (status != DiskStatus.Done)
            {
                return status;
            }
        }

        if (_lost.Count > 0)
        {
            // Numbers are not used again, also if all that had them was deleted.
            Last = Math.Max(Last, _lost[_lost.Count - 1].Last);
        }

        return DiskStatus.Done;
    }

    /// <summary>Cuts off what was torn, and zeros that were written ahead, unless something else is wrong, and makes
    /// safe what is there: of what a process left that was killed nothing need be.</summary>
    public async ValueTask<DiskStatus> Settle()
    {
        foreach ((uint segment, long at) in _damage.Count == 0 ? _ends : [])
        {
            DiskStatus cut = await Segments[segment].File.SetLengthAsync(at).ConfigureAwait(true);
            if (cut != DiskStatus.Done)
            {
                return cut;
            }
        }

        foreach (LogSegment segment in Segments.Values)
        {
            DiskStatus synced = await segment.File.SyncAsync().ConfigureAwait(true);
            if (synced != DiskStatus.Done)
            {
                return synced;
            }
        }

        foreach (string name in _stale)
        {
            DiskStatus deleted = await store.Disk.DeleteAsync(name).ConfigureAwait(true);
            if (deleted is not (DiskStatus.Done or DiskStatus.NotFound))
            {
                return deleted;
            }
        }

        return await store.Disk.SyncAsync().ConfigureAwait(true);
    }

    private NumberRanges WithLost()
    {
        NumberRanges segments = store.Notes.Segments.Copy();
        if (IsLastLost)
        {
            segments.Add(store.Notes.Begun, store.Notes.Begun);
        }

        return segments;
    }

    private async ValueTask<DiskStatus> ReadHint(LogSegment segment)
    {
        var hint = new HintReader(store.Disk, owner, store.Log, _window);
        DiskStatus status = await hint.Read(segment).ConfigureAwait(true);
        if (status == DiskStatus.Done && hint.IsRight)
        {
            segment.HasHint = true;
            segment.End = segment.File.Length;
            Hints++;
            Records += hint.Records;
            Follow(segment, hint.Batches.First, Sectors.Size);
            segment.Note(hint.Batches.Last);
            Last = Math.Max(Last, hint.Batches.Last);
            return status;
        }

        // The segment itself is read; a disk that fails will say so there.
        IgnoredHints++;
        return status == DiskStatus.Stopped ? status : DiskStatus.Done;
    }

    private async ValueTask<DiskStatus> Run(LogSegment segment)
    {
        long from = segment.Number == Mark.Segment ? Mark.End : Sectors.Size;
        var cursor = new SegmentCursor(store.Log, segment.Number, segment.File, segment.File.Length, _window, from);
        while (true)
        {
            DiskStatus status = await cursor.MoveNext().ConfigureAwait(true);
            if (status != DiskStatus.Done || cursor.Place == SegmentPlace.End)
            {
                segment.End = Math.Max(segment.End, cursor.At);
                return status;
            }

            bool isCut = options.CutsRot && cursor.Place == SegmentPlace.Rot && segment.Number == Segments.Keys.Max();
            if (cursor.Place is SegmentPlace.Torn or SegmentPlace.Ahead || isCut)
            {
                Torn += cursor.Place == SegmentPlace.Ahead ? 0 : 1;
                _ends.Add((segment.Number, cursor.At));
                segment.End = cursor.At;
                return DiskStatus.Done;
            }

            if (cursor.Place != SegmentPlace.Batch)
            {
                Note(
                    cursor.Place == SegmentPlace.Rot ? LogDamageKind.Rot : LogDamageKind.Missing,
                    segment.Number,
                    cursor
                );
            }

            if (cursor.HasHead)
            {
                Take(segment, cursor);
            }
        }
    }

    private void Take(LogSegment segment, SegmentCursor cursor)
    {
        if (!Follow(segment, cursor.Head.Number, cursor.At))
        {
            Note(LogDamageKind.Rot, segment.Number, cursor);
        }

        if (cursor.Head.Number == Last)
        {
            EndMark = new LogMark(segment.Number, cursor.At + cursor.Head.Bytes, Last, cursor.At, cursor.FirstSum);
        }

        while (cursor.MoveRecord())
        {
            if (cursor.IsRight)
            {
                Records++;
                ReadOnlySpan<byte> record = cursor.Record;
                LogRecord head = RecordFormat.Read(record, out Range key, out Range extra, out Range value);
                segment.Keys.Add(KeyFilter.Hash(head.Group, record[key]));
                owner.Found(head, record[key], record[extra], record[value], cursor.Location);
            }
            else if (cursor.Place == SegmentPlace.Batch)
            {
                // Its sectors are right, so it was written like this: a mistake of memory or of a program.
                Note(LogDamageKind.Rot, segment.Number, cursor);
            }
        }
    }

    // A batch is there: whether it follows what was before. False: it should not be here.
    private bool Follow(LogSegment segment, ulong number, long at)
    {
        // The last batch of a segment stands in the next one again if its sync has failed.
        bool isAgain = number == Last && at == Sectors.Size,
            isBehind = number <= Last && !isAgain;
        if (number > Last + 1 && !store.Notes.Batches.Contains(Last + 1, number - 1))
        {
            _damage.Add(new LogDamage(LogDamageKind.Missing, segment.Number, at));
            _lost.Add(Last + 1, number - 1);
        }

        segment.Note(number);
        Last = Math.Max(Last, number);
        return !isBehind;
    }

    private void Note(LogDamageKind kind, uint segment, SegmentCursor cursor)
    {
        Segments[segment].IsDamaged = true;
        var damage = new LogDamage(kind, segment, cursor.At) { End = cursor.End, Sum = cursor.Sum };
        if (!_known.Contains(damage) && !_damage.Contains(damage))
        {
            _damage.Add(damage);
        }
    }

    private void Look(string name, uint segment, IDiskFile file, ReadOnlySpan<byte> sector)
    {
        if (SegmentFormat.TryRead(sector, SegmentFormat.SegmentMagic, segment, out uint version, out LogIdentity of))
        {
            if (version != SegmentFormat.Version)
            {
                Refuse($"{name} has format {version}, and this program knows format {SegmentFormat.Version} only.");
            }
            else if (of != store.Log)
            {
                Refuse($"{name} belongs to another store ({of.Server}, made {of.Incarnation}).");
            }
        }
        else if (!Sectors.IsZero(sector) || file.Length > Sectors.Size)
        {
            var damage = new LogDamage(Sectors.IsZero(sector) ? LogDamageKind.Missing : LogDamageKind.Rot, segment, 0)
            {
                End = Sectors.Size,
                Sum = Sectors.Sum(uint.MaxValue, sector),
            };
            Segments[segment].IsDamaged = true;
            if (!_known.Contains(damage))
            {
                _damage.Add(damage);
            }
        }

        // Else its first sector was never synced, and nothing was written behind it.
    }

    private void Refuse(string why) => Refusal = Refusal.Length == 0 ? why : Refusal;
}
