using System.Buffers;

namespace CamCube.Trees;

/// <summary>
/// Records of a vertex in the order of their keys, some of one key, that become one record of each key: gathered on the
/// loop, combined by <see cref="Run"/> anywhere else, sent on the loop again. The last key's may not be all here; what
/// it came to then waits for the rest of them. 0 bytes allocated per record. One thread at a time.
/// </summary>
public sealed class CombineWindow
{
    // So much is gathered, or a few of the longest records.
    private const int LeastBytes = 16 << 10;
    private const int MostRecords = 4;
    private readonly int _mostRecord;
    private readonly int _fullAt;
    private byte[] _records = [];
    private byte[] _output = [];
    private byte[] _sum = [];
    private byte[] _other = [];
    private int _length;
    private int _outputLength;
    private int _sent;
    private int _lastAt = -1;
    private bool _needsRun;

    /// <summary>A window of a vertex.</summary>
    /// <param name="mostRecord">Bytes of the longest record.</param>
    internal CombineWindow(int mostRecord)
    {
        _mostRecord = mostRecord;
        _fullAt = (int)Math.Min(Array.MaxLength / 2, Math.Max(LeastBytes, (long)MostRecords * mostRecord));
    }

    /// <summary>Bytes of records that are to be combined.</summary>
    public int Bytes => _length;

    /// <summary>It is to be combined before more come.</summary>
    internal bool IsFull => _length >= _fullAt;

    /// <summary>No records wait to be combined.</summary>
    internal bool IsEmpty => _length == 0;

    /// <summary>Records wait, of another key than the last one.</summary>
    internal bool HasWholeKeys => _lastAt > 0;

    /// <summary>Several records of one key wait.</summary>
    internal bool NeedsRun => _needsRun;

    /// <summary>What is to be sent.</summary>
    internal ReadOnlySpan<byte> Output => _output.AsSpan(_sent, _outputLength - _sent);

    /// <summary>Adds a record.</summary>
    /// <param name="key">Its key.</param>
    /// <param name="value">Its value.</param>
    /// <param name="isNew">Whether it is the first of its key.</param>
    internal void Add(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, bool isNew)
    {
        Grow(ref _records, _length, RecordFormat.LengthOf(key.Length, value.Length));
        if (isNew)
        {
            _lastAt = _length;
        }

        _needsRun |= !isNew;
        _length += RecordFormat.Write(_records.AsSpan(_length), key, value);
    }

    /// <summary>Combines what was gathered.</summary>
    /// <param name="combine">Makes one value of two.</param>
    /// <returns>What is wrong, in words; null: nothing.</returns>
    public string? Run(ValueCombiner combine)
    {
        ArgumentNullException.ThrowIfNull(combine);
        (_outputLength, _sent) = (0, 0);
        for (int at = 0; at < _length; )
        {
            Read(at, out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value, out int next);
            int sum = -1;
            while (next < _length)
            {
                Read(next, out ReadOnlySpan<byte> other, out ReadOnlySpan<byte> more, out int behind);
                if (!other.SequenceEqual(key))
                {
                    break;
                }

                int most = _mostRecord - RecordFormat.LengthOf(key.Length, 0);
                Grow(ref _other, 0, most);
                sum = combine(key, sum < 0 ? value : _sum.AsSpan(0, sum), more, _other.AsSpan(0, most));
                if ((uint)sum > (uint)most || RecordFormat.LengthOf(key.Length, sum) > _mostRecord)
                {
                    return "a value became longer than a record may be";
                }

                (_sum, _other, next) = (_other, _sum, behind);
            }

            Put(key, sum < 0 ? value : _sum.AsSpan(0, sum));
            at = next;
        }

        return null;
    }

    /// <summary>It was combined, or needs not be.</summary>
    /// <param name="isLastWhole">Whether no more records of the last key come. Otherwise what it came to stays here, as
    /// the first record of it.</param>
    internal void Complete(bool isLastWhole)
    {
        if (!_needsRun)
        {
            (_records, _output, _outputLength, _sent) = (_output, _records, _length, 0);
        }

        int keepAt = isLastWhole ? _outputLength : LastAt();
        int kept = _outputLength - keepAt;
        Grow(ref _records, 0, kept);
        _output.AsSpan(keepAt, kept).CopyTo(_records);
        (_length, _lastAt, _needsRun, _outputLength) = (kept, kept > 0 ? 0 : -1, false, keepAt);
    }

    /// <summary>So much was sent.</summary>
    internal void Send(int bytes)
    {
        _sent += bytes;
        if (_sent == _outputLength)
        {
            (_outputLength, _sent) = (0, 0);
        }
    }

    /// <summary>Gives memory back: many vertices, and few are at work. Not while it is being combined.</summary>
    internal void Trim()
    {
        if (_length == 0)
        {
            Return(ref _records);
        }

        if (_outputLength == 0)
        {
            Return(ref _output);
        }

        Return(ref _sum);
        Return(ref _other);
    }

    private int LastAt()
    {
        int last = 0;
        for (int at = 0; at < _outputLength; )
        {
            last = at;
            _ = RecordFormat.ReadHead(_output.AsSpan(at), out int keyAt, out int key, out int value);
            at += keyAt + key + value;
        }

        return last;
    }

    private void Put(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        Grow(ref _output, _outputLength, RecordFormat.LengthOf(key.Length, value.Length));
        _outputLength += RecordFormat.Write(_output.AsSpan(_outputLength), key, value);
    }

    private void Read(int at, out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value, out int next)
    {
        ReadOnlySpan<byte> record = _records.AsSpan(at);
        _ = RecordFormat.ReadHead(record, out int keyAt, out int keyLength, out int valueLength);
        key = record.Slice(keyAt, keyLength);
        value = record.Slice(keyAt + keyLength, valueLength);
        next = at + keyAt + keyLength + valueLength;
    }

    private static void Grow(ref byte[] bytes, int used, int more)
    {
        if (bytes.Length - used < more)
        {
            byte[] larger = ArrayPool<byte>.Shared.Rent(Math.Max(2 * used, used + more));
            bytes.AsSpan(0, used).CopyTo(larger);
            Return(ref bytes);
            bytes = larger;
        }
    }

    private static void Return(ref byte[] bytes)
    {
        if (bytes.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(bytes);
            bytes = [];
        }
    }
}
