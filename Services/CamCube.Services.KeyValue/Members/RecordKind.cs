namespace CamCube.Services.KeyValue.Members;

/// <summary>Records of the log. Numbers are those on the disk.</summary>
internal enum RecordKind : byte
{
    None = 0,

    /// <summary>An entry that changes a key. Flags: what it does; extra: for whom, then metadata.</summary>
    Operation = 1,

    /// <summary>Any other entry. Extra: the entry.</summary>
    Entry = 2,

    /// <summary>A ballot that is promised. Extra: who is voted for.</summary>
    Promise = 3,

    /// <summary>An epoch that is entered, and the promise in it.</summary>
    Epoch = 4,

    /// <summary>The birth taken part in, and those that were refused.</summary>
    Birth = 5,

    /// <summary>All up to an index is applied. Extra: marks there; the place of the first entry behind it; the place
    /// before which nothing counts; ballots up to there.</summary>
    Position = 6,

    /// <summary>This store is of the first start. Extra: all stores that are.</summary>
    Founding = 7,

    /// <summary>The store was damaged and has another id from here on: nothing before counts.</summary>
    Anew = 8,

    /// <summary>A piece of a value: garbage unless an entry names it (<see cref="Log.LogPieces"/>).</summary>
    Piece = 9,

    /// <summary>What a group knows of requests that were done. Before a position that needs it.</summary>
    Requests = 10,

    /// <summary>Stores that were given up by hand: nobody takes anything from them. Extra: all of them.</summary>
    Banned = 11,

    /// <summary>The recovery that a group agreed to. Extra: 1 if it is decided; the recovery.</summary>
    Recovery = 12,
}
