using CamCube.Trees;

namespace CamCube.Services.Camdoop.Records;

/// <summary>Makes a run of records that come in order. One thread at a time.</summary>
/// <param name="groups">Groups that there can be.</param>
/// <param name="most">Bytes of all records, at most.</param>
internal sealed class RunBuilder(int groups, int most)
{
    private readonly List<RunGroup> _groups = new(Math.Min(groups, 64));
    private byte[] _bytes = GC.AllocateUninitializedArray<byte>(most);
    private int _length;

    /// <summary>Records that were added.</summary>
    public long Pairs { get; private set; }

    /// <summary>Adds a whole record.</summary>
    public void Add(int group, ReadOnlySpan<byte> record)
    {
        Begin(group);
        Room(record.Length);
        record.CopyTo(_bytes.AsSpan(_length));
        _length += record.Length;
        Pairs++;
    }

    /// <summary>Adds a record of its parts.</summary>
    public void Add(int group, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        Begin(group);
        Room(RecordFormat.LengthOf(key.Length, value.Length));
        _length += RecordFormat.Write(_bytes.AsSpan(_length), key, value);
        Pairs++;
    }

    /// <summary>That was all.</summary>
    public SortedRun ToRun()
    {
        // What combining has saved is not kept.
        if (_length < _bytes.Length)
        {
            Array.Resize(ref _bytes, _length);
        }

        return new SortedRun(_bytes, [.. _groups]);
    }

    private void Begin(int group)
    {
        if (_groups.Count == 0 || _groups[^1].Group != group)
        {
            _groups.Add(new RunGroup(group, _length));
        }
    }

    // A combined value may be longer than both that it is of.
    private void Room(int more)
    {
        if (_bytes.Length - _length < more)
        {
            Array.Resize(ref _bytes, (int)Math.Min(Array.MaxLength, 2L * (_length + (long)more)));
        }
    }
}
