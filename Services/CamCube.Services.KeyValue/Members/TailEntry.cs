using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>An entry at the end of a group's log, with what it does.</summary>
internal sealed class TailEntry(ulong index, in GroupEntry entry, Operation? operation)
{
    public ulong Index => index;

    public GroupEntry Entry { get; } = entry;

    public Operation? Operation => operation;

    /// <summary>The version that its key has by it.</summary>
    public ulong Version => VersionOf(Entry.Ballot, index);

    /// <summary>Where its record lies, once it is synced.</summary>
    public LogLocation Location { get; set; }

    public bool IsSynced => Location.Length > 0;

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
