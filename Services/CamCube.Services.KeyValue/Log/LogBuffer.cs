namespace CamCube.Services.KeyValue.Log;

/// <summary>Records that gather for a batch.</summary>
/// <param name="most">Bytes of records at most.</param>
/// <param name="memory">Where more memory than <see cref="LogMemory.FirstBytes"/> comes from.</param>
internal sealed class LogBuffer(int most, LogMemory memory)
{
    // What the owner is told of at once takes the loop's time: half a microsecond each.
    private const int MostCopies = 512;
    private const int MostCopiedBytes = 256 << 10;
    private readonly List<(int At, int Length, ulong Key, LogLocation From)> _records = [];
    private readonly List<(int At, LogLocation From, LogLocation To)> _moves = [];
    private LogLocation[] _locations = [];
    private byte[] _bytes = new byte[Math.Min(LogMemory.FirstBytes, most)];
    private int _body;
    private int _copied;

    public int Count => _records.Count;

    /// <summary>Bytes of its records.</summary>
    public int Body => _body;

    /// <summary>How many of its records are copies, which have no tickets.</summary>
    public int Copies { get; private set; }

    /// <summary>Keys that it may have records of.</summary>
    public KeyFilter Keys { get; } = new();

    /// <summary>The ticket of its first record.</summary>
    public ulong First { get; set; }

    /// <summary>Bytes of the batch that it would be now.</summary>
    public int BatchBytes => BatchHead.SectorsFor(_body) * Sectors.Size;

    /// <summary>Where each record that is no copy lies, after <see cref="Seal"/>.</summary>
    public ReadOnlySpan<LogLocation> Locations => _locations.AsSpan(0, _records.Count - Copies);

    public LogAnswer Add(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value
    )
    {
        long sum = (long)key.Length + extra.Length + value.Length;
        if (key.Length > ushort.MaxValue || sum > most - RecordFormat.HeadLength)
        {
            return LogAnswer.TooLarge;
        }

        int length = RecordFormat.Length(key.Length, extra.Length, value.Length);
        if (_body + length > most)
        {
            return length > most ? LogAnswer.TooLarge : LogAnswer.Busy;
        }

        if (!HasRoom(length))
        {
            return LogAnswer.Busy;
        }

        RecordFormat.Write(_bytes.AsSpan(_body, length), record, key, extra, value);
        Take(length, KeyFilter.Hash(record.Group, key), default);
        return LogAnswer.Taken;
    }

    /// <summary>Adds a record as it stands elsewhere.</summary>
    public bool TryCopy(ReadOnlySpan<byte> record, LogLocation from, byte flags)
    {
        // Half is left to what is new, which waits for the disk no longer than for so many copies.
        bool isMuch = _copied + record.Length > MostCopiedBytes || Copies == MostCopies;
        if ((_body > 0 && _body + record.Length > most / 2) || (Copies > 0 && isMuch) || !HasRoom(record.Length))
        {
            return false;
        }

        record.CopyTo(_bytes.AsSpan(_body));
        RecordFormat.AddFlags(_bytes.AsSpan(_body), flags);
        LogRecord head = RecordFormat.Read(record, out Range key, out _, out _);
        Take(record.Length, KeyFilter.Hash(head.Group, record[key]), from);
        (Copies, _copied) = (Copies + 1, _copied + record.Length);
        return true;
    }

    /// <summary>Makes a batch of it for a place.</summary>
    /// <param name="batch">Where to: <see cref="BatchBytes"/>.</param>
    /// <param name="number">The number of the batch.</param>
    /// <param name="log">The log.</param>
    /// <param name="segment">The segment.</param>
    /// <param name="offset">The place there.</param>
    public void Seal(Span<byte> batch, ulong number, LogIdentity log, uint segment, long offset)
    {
        var head = new BatchHead(number, number - 1, _body, batch.Length / Sectors.Size);
        Span<byte> body = batch[head.Length..];
        _bytes.AsSpan(0, _body).CopyTo(body);
        body[_body..].Clear();
        if (_locations.Length < _records.Count)
        {
            _locations = new LogLocation[_records.Capacity];
        }

        int own = 0;
        _moves.Clear();
        foreach ((int at, int length, _, LogLocation from) in _records)
        {
            var to = new LogLocation(segment, (uint)(offset + head.Length + at), length);
            RecordFormat.Seal(body.Slice(at, length), Sectors.Seed(log, segment, to.Offset));
            if (from.Length > 0)
            {
                _moves.Add((at, from, to));
            }
            else
            {
                _locations[own++] = to;
            }
        }

        head.Seal(batch, log, segment, offset);
    }

    /// <summary>Says of which keys it has records.</summary>
    public void AddKeysTo(KeyFilter keys)
    {
        foreach ((_, _, ulong key, _) in _records)
        {
            keys.Add(key);
        }
    }

    /// <summary>Tells of the copies, after <see cref="Seal"/>.</summary>
    public void TellMoves(ILogIndex index)
    {
        foreach ((int at, LogLocation from, LogLocation to) in _moves)
        {
            ReadOnlySpan<byte> bytes = _bytes.AsSpan(at, to.Length);
            LogRecord record = RecordFormat.Read(bytes, out Range key, out _, out _);
            index.Moved(record, bytes[key], from, to);
        }
    }

    public void Clear()
    {
        _records.Clear();
        _moves.Clear();
        Keys.Clear();
        (_body, _copied, Copies) = (0, 0, 0);
    }

    private bool HasRoom(int length)
    {
        if (_body + length <= _bytes.Length)
        {
            return true;
        }

        // Twice as much, or else just enough.
        int enough = _body + length,
            more = Math.Max(enough, Math.Min(2 * _bytes.Length, most));
        int size =
            memory.TryGrow(_bytes.Length, more) ? more
            : memory.TryGrow(_bytes.Length, enough) ? enough
            : 0;
        if (size > 0)
        {
            Array.Resize(ref _bytes, size);
        }

        return size > 0;
    }

    private void Take(int length, ulong key, LogLocation from)
    {
        _records.Add((_body, length, key, from));
        Keys.Add(key);
        _body += length;
    }
}
