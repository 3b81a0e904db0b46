using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>An entry at the end of a group's log, with what it does.</summary>
internal sealed class TailEntry(ulong index, in GroupEntry entry, Operation? operation)
{
    private LogLocation _first;
    private LogLocation[]? _others;
    private int _synced;

    public ulong Index => index;

    public GroupEntry Entry { get; } = entry;

    /// <summary>What it does; null: nothing to a key.</summary>
    public Operation? Operation { get; set; } = operation;

    /// <summary>Its records: one for each key of a batch, one otherwise.</summary>
    public int Records => Operation?.Parts?.Length ?? 1;

    /// <summary>The version that its key has by it, or each of them.</summary>
    public ulong Version => VersionOf(Entry.Ballot, index);

    /// <summary>Where its record lies, once it is synced; of several the first.</summary>
    public LogLocation Location
    {
        get => _first;
        set => Locate(0, value);
    }

    /// <summary>All of its records are.</summary>
    public bool IsSynced => _synced == Records;

    /// <summary>What it makes of a key: all of it, if it is no batch. Null: of none.</summary>
    public Operation? this[int record] => Operation?.Parts is { } parts ? parts[record] : Operation;

    /// <summary>Where one of its records lies; default: nowhere yet.</summary>
    public LogLocation PlaceOf(int record) =>
        record == 0 ? _first
        : _others is null ? default
        : _others[record - 1];

    /// <summary>One of its records is synced.</summary>
    public void Locate(int record, LogLocation location)
    {
        _synced += PlaceOf(record).Length > 0 || location.Length == 0 ? 0 : 1;
        if (record == 0)
        {
            _first = location;
            return;
        }

        _others ??= new LogLocation[Records - 1];
        _others[record - 1] = location;
    }

    /// <summary>Whether one of its records lies there.</summary>
    public bool LiesAt(LogLocation location)
    {
        bool isHere = false;
        for (int record = 0; record < Records; record++)
        {
            isHere |= PlaceOf(record) == location;
        }

        return isHere;
    }

    /// <summary>A change by its record.</summary>
    public static TailEntry Of(in LogRecord record, Operation operation, LogLocation location)
    {
        var ballot = new Ballot(record.Generation, record.Epoch, record.Term);
        return new TailEntry(record.Index, new GroupEntry(EntryKind.Operation, ballot, 0), operation)
        {
            Location = location,
        };
    }

    /// <summary>Generation 24 bits, index 40.</summary>
    public static ulong VersionOf(Ballot ballot, ulong index) => ((ulong)ballot.Generation << 40) | index;
}
