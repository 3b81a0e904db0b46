namespace CamCube.Trees;

/// <summary>
/// A pull's answer as sorted records, for its sink: looks at one after the other, and knows how far they are taken. A
/// record that is not whole in one piece is gathered here, so that it needs no more credit than a byte. The sink calls
/// <see cref="Restart"/> when it is asked from where on (<see cref="IPullSink{TRequest}.From"/>). Loop only.
/// </summary>
/// <typeparam name="TRequest">What the service says in a pull.</typeparam>
public sealed class RecordReader<TRequest>
    where TRequest : IPullRequest<TRequest>
{
    private readonly PullInput<TRequest> _pull;
    private readonly int _mostRecord;
    private readonly bool _combines;
    private byte[] _part = [];
    private int _partLength;
    private byte[] _lastKey;
    private int _lastLength;
    private long _taken;

    /// <summary>A reader of a pull that has just begun.</summary>
    /// <param name="pull">The pull.</param>
    /// <param name="mostRecord">Bytes of the longest record; what is longer is wrong.</param>
    /// <param name="combines">There is one record of each key. Else there may be several.</param>
    /// <param name="start">The key that records begin behind if they are combined, else from; empty: the
    /// first.</param>
    public RecordReader(PullInput<TRequest> pull, int mostRecord, bool combines, ReadOnlySpan<byte> start = default)
    {
        (_pull, _mostRecord, _combines) = (pull, mostRecord, combines);
        (_lastKey, _lastLength) = (start.ToArray(), start.Length);
    }

    /// <summary>The pull.</summary>
    public PullInput<TRequest> Pull => _pull;

    /// <summary>All records were taken, and no more come.</summary>
    public bool IsWhole => _pull.IsWhole && _partLength == 0;

    /// <summary>What is wrong with what came; null: nothing.</summary>
    public string? Wrong { get; private set; }

    /// <summary>How far it is taken.</summary>
    public MergePosition Position => new(_lastKey.AsMemory(0, _lastLength), _combines ? 0 : _taken);

    /// <summary>The pull begins again, at <see cref="Position"/>: what is here of a record is void.</summary>
    public void Restart() => _partLength = 0;

    /// <summary>Whether the next record is here, whole.</summary>
    /// <param name="key">Its key, valid until <see cref="Take"/>.</param>
    /// <param name="value">Its value, valid until <see cref="Take"/>.</param>
    public bool TryPeek(out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
    {
        key = value = default;
        while (Wrong is null)
        {
            ReadOnlySpan<byte> here = _partLength > 0 ? _part.AsSpan(0, _partLength) : _pull.Peek();
            int head = RecordFormat.ReadHead(here, out int keyAt, out int keyLength, out int valueLength);
            long length = (long)keyAt + keyLength + valueLength;
            if (head < 0 || (head > 0 && length > _mostRecord))
            {
                Wrong =
                    head < 0 ? "what it sent is no record" : $"a record has {length} bytes, and may have {_mostRecord}";
                return false;
            }

            if (head > 0 && here.Length >= length)
            {
                key = here.Slice(keyAt, keyLength);
                value = here.Slice(keyAt + keyLength, valueLength);
                return true;
            }

            if (!Gather(head > 0 ? (int)length : here.Length + 1))
            {
                if (_pull.IsWhole && _partLength > 0)
                {
                    Wrong = "it ended within a record";
                }

                return false;
            }
        }

        return false;
    }

    /// <summary>Takes the record that was looked at.</summary>
    /// <param name="key">Its key, as <see cref="TryPeek"/> gave it.</param>
    /// <param name="value">Its value, as that gave it.</param>
    public void Take(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        int order = _lastLength == 0 ? 1 : RecordFormat.Compare(key, _lastKey.AsSpan(0, _lastLength));
        if (order < 0 || (order == 0 && _combines))
        {
            Wrong = "its records are not in the order of their keys";
        }

        int length = RecordFormat.LengthOf(key.Length, value.Length);
        _taken = order == 0 ? _taken + 1 : 1;
        SetLast(key);
        if (_partLength > 0)
        {
            _partLength = 0;
        }
        else
        {
            _pull.Consume(length);
        }
    }

    /// <summary>Whole records that lie in one piece, from the next one on, as far as they may go on together: what is
    /// wrong, gathered, or longer than there is room for is none of them, and is looked at alone.</summary>
    /// <param name="end">What they come before.</param>
    /// <param name="most">Bytes of all of them.</param>
    internal RecordRun PeekRun(in RecordBound end, int most)
    {
        ReadOnlySpan<byte> here = _partLength > 0 || Wrong is not null ? default : _pull.Peek();
        here = here[..Math.Min(here.Length, most)];
        ReadOnlySpan<byte> last = _lastKey.AsSpan(0, _lastLength);
        (int at, long taken) = (0, _taken);
        while (RecordFormat.ReadHead(here[at..], out int keyAt, out int keyLength, out int valueLength) > 0)
        {
            long length = (long)keyAt + keyLength + valueLength;
            if (length > Math.Min(_mostRecord, here.Length - at))
            {
                break;
            }

            ReadOnlySpan<byte> key = here.Slice(at + keyAt, keyLength);
            int order = last.IsEmpty ? 1 : RecordFormat.Compare(key, last);
            if (order < 0 || (order == 0 && _combines) || !end.IsBehind(key))
            {
                break;
            }

            last = key;
            taken = order == 0 ? taken + 1 : 1;
            at += (int)length;
        }

        return new RecordRun(here[..at], last, taken);
    }

    /// <summary>Takes the records that were looked at.</summary>
    /// <param name="run">As <see cref="PeekRun"/> gave them: some.</param>
    internal void TakeRun(in RecordRun run)
    {
        SetLast(run.LastKey);
        _taken = run.Taken;
        _pull.Consume(run.Records.Length);
    }

    private void SetLast(ReadOnlySpan<byte> key)
    {
        if (_lastKey.Length < key.Length)
        {
            _lastKey = new byte[Math.Max(64, 2 * key.Length)];
        }

        key.CopyTo(_lastKey);
        _lastLength = key.Length;
    }

    // Takes bytes out of the stream until there are so many: it has to be allowed more, and counts in whole chunks.
    private bool Gather(int least)
    {
        if (_part.Length < least)
        {
            byte[] part = new byte[Math.Min(_mostRecord + RecordFormat.MostHead, Math.Max(256, 2 * least))];
            _part.AsSpan(0, _partLength).CopyTo(part);
            _part = part;
        }

        int copied = _pull.Peek(0, _part.AsSpan(_partLength, least - _partLength));
        _pull.Consume(copied);
        _partLength += copied;
        return copied > 0;
    }
}
