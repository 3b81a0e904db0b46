using CamCube.FrontEnds.Buffers;

namespace CamCube.Services.KeyValue.Redis.Data;

/// <summary>
/// A key in a transaction: what was there when it was read, and what the commands of the transaction have made of it so
/// far. Loop only.
/// </summary>
/// <param name="key">The key, lent until the transaction ends.</param>
/// <param name="keys">The keys that it is one of; null: it is alone, and only read.</param>
internal sealed class KeyEntry(KeyValueKey key, Keyspace? keys = null)
{
    private readonly ValueBuffer _read = new();
    private readonly ValueBuffer _readMetadata = new();
    private readonly ValueBuffer _made = new();

    /// <summary>The key.</summary>
    public KeyValueKey Key => key;

    /// <summary>The version that was read; 0: there was no such key.</summary>
    public ulong Version { get; private set; }

    /// <summary>Why it could not be read; Done: it was, or is not there.</summary>
    public KeyValueStatus Status { get; private set; }

    /// <summary>What the transaction makes of it.</summary>
    public KeyOutcome Outcome { get; private set; }

    /// <summary>Whether what comes of the transaction depends on what was read.</summary>
    public bool IsObserved { get; private set; }

    /// <summary>Whether the value has to be read, too.</summary>
    public bool NeedsValue { get; set; }

    /// <summary>Where a value goes that is read.</summary>
    public ValueBuffer ReadBuffer => _read;

    /// <summary>Where metadata go that are read.</summary>
    public ValueBuffer MetadataBuffer => _readMetadata;

    /// <summary>Whether the key is there now.</summary>
    public bool Exists
    {
        get
        {
            IsObserved = true;
            return ExistsNow;
        }
    }

    /// <summary>Its value now; empty where there is none.</summary>
    public ReadOnlySpan<byte> Value
    {
        get
        {
            IsObserved = true;
            return Outcome == KeyOutcome.Put ? _made.Written.Span : _read.Written.Span;
        }
    }

    /// <summary>Bytes of its value now.</summary>
    public long Length
    {
        get
        {
            IsObserved = true;
            return Outcome == KeyOutcome.Put ? _made.Length : ReadLength;
        }
    }

    /// <summary>How long it is there yet; null: until it is deleted.</summary>
    public TimeSpan? Expires
    {
        get
        {
            IsObserved = true;
            return Left;
        }
    }

    /// <summary>The value that is to be put.</summary>
    public ReadOnlyMemory<byte> Made => _made.Written;

    /// <summary>What is kept beside the value that is to be put.</summary>
    public ReadOnlyMemory<byte> Metadata { get; private set; }

    /// <summary>How long it is to be there; null: until it is deleted.</summary>
    public TimeSpan? Left { get; private set; }

    /// <summary>Whether it is there, without depending on that.</summary>
    private bool ExistsNow { get; set; }

    private long ReadLength { get; set; }

    /// <summary>Begins anew with what was read.</summary>
    public void Take(in KeyValueAnswer answer)
    {
        bool isThere = answer.Status == KeyValueStatus.Done;
        Status = answer.Status == KeyValueStatus.NotFound ? KeyValueStatus.Done : answer.Status;
        (Version, ReadLength) = isThere ? (answer.Version, answer.Length) : (0, 0);
        (ExistsNow, Left) = (isThere, isThere ? answer.Expires : null);
        (Outcome, IsObserved) = (KeyOutcome.None, false);
        _made.Clear();
        Metadata = default;
    }

    /// <summary>Forgets what was read.</summary>
    public void Forget()
    {
        _read.Clear();
        _readMetadata.Clear();
    }

    /// <summary>Puts a value; how long it is there, and what is kept beside it, goes as with SET.</summary>
    public void Put(ReadOnlySpan<byte> value, TimeSpan? expires = null)
    {
        Replace(value);
        (Left, Metadata) = (expires, default);
    }

    /// <summary>Puts another value, which is there as long as the old one; what is kept beside it stays.</summary>
    public void Change(ReadOnlySpan<byte> value)
    {
        IsObserved = true;
        Metadata = ExistsNow && Outcome != KeyOutcome.Put ? _readMetadata.Written : Metadata;
        Replace(value);
    }

    /// <summary>Bytes of another value of so many, which begins as the old one, and zeros behind it: to be written
    /// over.</summary>
    public Span<byte> Edit(int length)
    {
        IsObserved = true;
        if (Outcome != KeyOutcome.Put)
        {
            Change(_read.Written.Span);
        }

        if (_made.Length < length)
        {
            int more = length - _made.Length;
            keys?.CountMoved(more);
            _made.GetSpan(more)[..more].Clear();
            _made.Advance(more);
        }

        return System.Runtime.InteropServices.MemoryMarshal.AsMemory(_made.Written).Span;
    }

    /// <summary>Deletes it.</summary>
    public void Delete()
    {
        _made.Clear();
        (ExistsNow, Left, Outcome) = (false, null, KeyOutcome.Delete);
    }

    /// <summary>Says anew how long it is there; there must be such a key.</summary>
    public void Expire(TimeSpan? time)
    {
        IsObserved = true;
        Left = time;
        Outcome = Outcome == KeyOutcome.Put ? KeyOutcome.Put : KeyOutcome.Expire;
    }

    /// <summary>Gives its memory back.</summary>
    public void Release()
    {
        _read.Release();
        _readMetadata.Release();
        _made.Release();
    }

    private void Replace(ReadOnlySpan<byte> value)
    {
        // It may lie in what is replaced.
        ReadOnlySpan<byte> whole = _made.Written.Span.Overlaps(value) ? value.ToArray() : value;
        keys?.CountMoved(value.Length);
        _made.Clear();
        whole.CopyTo(_made.GetSpan(whole.Length));
        _made.Advance(whole.Length);
        (ExistsNow, Outcome) = (true, KeyOutcome.Put);
    }
}
