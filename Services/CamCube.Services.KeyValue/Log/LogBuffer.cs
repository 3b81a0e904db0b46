namespace CamCube.Services.KeyValue.Log;

/// <summary>Records that gather for a batch.</summary>
internal sealed class LogBuffer(int most)
{
    private readonly List<(int At, int Length)> _records = [];
    private LogLocation[] _locations = [];
    private byte[] _bytes = [];
    private int _body;

    public int Count => _records.Count;

    /// <summary>The ticket of its first record.</summary>
    public ulong First { get; set; }

    /// <summary>Bytes of the batch that it would be now.</summary>
    public int BatchBytes => BatchHead.SectorsFor(_body) * Sectors.Size;

    /// <summary>Where each record lies, after <see cref="Seal"/>.</summary>
    public ReadOnlySpan<LogLocation> Locations => _locations.AsSpan(0, _records.Count);

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

        if (_body + length > _bytes.Length)
        {
            Array.Resize(ref _bytes, Math.Min(Math.Max(_body + length, 2 * _bytes.Length), most));
        }

        RecordFormat.Write(_bytes.AsSpan(_body, length), record, key, extra, value);
        _records.Add((_body, length));
        _body += length;
        return LogAnswer.Taken;
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

        for (int i = 0; i < _records.Count; i++)
        {
            (int at, int length) = _records[i];
            uint place = (uint)(offset + head.Length + at);
            RecordFormat.Seal(body.Slice(at, length), Sectors.Seed(log, segment, place));
            _locations[i] = new LogLocation(segment, place, length);
        }

        head.Seal(batch, log, segment, offset);
    }

    public void Clear()
    {
        _records.Clear();
        _body = 0;
    }
}
