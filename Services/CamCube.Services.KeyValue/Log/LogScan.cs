namespace CamCube.Services.KeyValue.Log;

/// <summary>Reads all segments at the start, in order, and changes nothing before it has seen all.</summary>
internal sealed class LogScan(IServerDisk disk, ILogOwner owner, LogIdentity log)
{
    private readonly List<LogDamage> _damage = [];
    private readonly List<(uint Segment, long At)> _torn = [];

    public LogIdentity Log => log;

    /// <summary>Room for any batch.</summary>
    public byte[] Buffer { get; } = new byte[BatchHead.MostSectors * Sectors.Size];

    public IReadOnlyList<LogDamage> Damage => _damage;

    /// <summary>Files of segments, open.</summary>
    public Dictionary<uint, IDiskFile> Files { get; } = [];

    /// <summary>The number of the last batch.</summary>
    public ulong Last { get; private set; }

    /// <summary>The number of the last segment that is, or was, there.</summary>
    public uint LastSegment { get; private set; }

    public long Records { get; private set; }

    public int Torn => _torn.Count;

    /// <summary>If it must not be used, why.</summary>
    public string Refusal { get; private set; } = "";

    /// <summary>Opens all segments and looks whose they are. Nothing is read from them yet.</summary>
    public async ValueTask<DiskStatus> Open(IEnumerable<DiskEntry> entries)
    {
        byte[] sector = new byte[Sectors.Size];
        foreach (DiskEntry entry in entries)
        {
            if (!SegmentFormat.TryNumber(entry.Name, out uint segment))
            {
                continue;
            }

            DiskResult<IDiskFile> opened = await disk.OpenAsync(entry.Name, create: false).ConfigureAwait(true);
            if (opened.Value is not { } file)
            {
                return opened.Status;
            }

            (Files[segment], LastSegment) = (file, Math.Max(LastSegment, segment));
            DiskResult<int> read = await file.ReadAsync(0, sector).ConfigureAwait(true);
            if (!read.IsDone)
            {
                return read.Status;
            }

            sector.AsSpan(read.Value).Clear();
            Look(entry.Name, segment, file, sector);
        }

        return DiskStatus.Done;
    }

    /// <summary>Reads all segments and gives their records to the owner.</summary>
    public async ValueTask<DiskStatus> Run()
    {
        foreach (uint segment in Files.Keys.Order())
        {
            var scan = new SegmentScan(this, segment, Files[segment]);
            DiskStatus status = await scan.Run().ConfigureAwait(true);
            if (status != DiskStatus.Done)
            {
                return status;
            }

            if (scan.TornAt >= 0)
            {
                _torn.Add((segment, scan.TornAt));
            }
        }

        return DiskStatus.Done;
    }

    /// <summary>Cuts off what was torn, unless something else is wrong, and makes safe what is there: of what a process
    /// left that was killed nothing need be.</summary>
    public async ValueTask<DiskStatus> Settle()
    {
        foreach ((uint segment, long at) in _damage.Count == 0 ? _torn : [])
        {
            DiskStatus cut = await Files[segment].SetLengthAsync(at).ConfigureAwait(true);
            if (cut != DiskStatus.Done)
            {
                return cut;
            }
        }

        foreach (uint segment in Files.Keys.Order())
        {
            DiskStatus synced = await Files[segment].SyncAsync().ConfigureAwait(true);
            if (synced != DiskStatus.Done)
            {
                return synced;
            }
        }

        return await disk.SyncAsync().ConfigureAwait(true);
    }

    public void Note(LogDamageKind kind, uint segment, long at) => _damage.Add(new LogDamage(kind, segment, at));

    /// <summary>A batch is there: whether it follows what was before.</summary>
    public void Follow(in BatchHead head, uint segment, long at)
    {
        // The last batch of a segment stands in the next one again if its sync has failed.
        bool isAgain = head.Number == Last && at == Sectors.Size;
        if (head.Number != Last + 1 && !isAgain)
        {
            Note(head.Number <= Last ? LogDamageKind.Rot : LogDamageKind.Missing, segment, at);
        }

        Last = Math.Max(Last, head.Number);
    }

    public void Give(ReadOnlySpan<byte> record, LogLocation location)
    {
        Records++;
        LogRecord head = RecordFormat.Read(record, out Range key, out Range extra, out Range value);
        owner.Found(head, record[key], record[extra], record[value], location);
    }

    private void Look(string name, uint segment, IDiskFile file, ReadOnlySpan<byte> sector)
    {
        if (SegmentFormat.TryRead(sector, SegmentFormat.SegmentMagic, segment, out uint version, out LogIdentity of))
        {
            if (version != SegmentFormat.Version)
            {
                Refuse($"{name} has format {version}, and this program knows format {SegmentFormat.Version} only.");
            }
            else if (of != log)
            {
                Refuse($"{name} belongs to another store ({of.Server}, made {of.Incarnation}).");
            }
        }
        else if (!Sectors.IsZero(sector) || file.Length > Sectors.Size)
        {
            Note(Sectors.IsZero(sector) ? LogDamageKind.Missing : LogDamageKind.Rot, segment, 0);
        }

        // Else its first sector was never synced, and nothing was written behind it.
    }

    private void Refuse(string why) => Refusal = Refusal.Length == 0 ? why : Refusal;
}
