using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>What is asked; memory in it is lent until that is over.</summary>
internal readonly record struct Asking
{
    // A value is fetched by whoever leads, if it has not got it: at least so many bytes in a second.
    private const long SlowestFetch = 16 << 20;

    public RequestType Type { get; init; }

    public KeyValueKey Key { get; init; }

    public KeyValueCondition Condition { get; init; }

    public ReadOnlyMemory<byte> Metadata { get; init; }

    public ReadOnlyMemory<byte> Value { get; init; }

    /// <summary>Whoever asks says when it has read what was said (<see cref="AskingSide.Return"/>).</summary>
    public bool IsReturned { get; init; }

    /// <summary>The group, if that is not its key's.</summary>
    public GroupId? Group { get; init; }

    /// <summary>The value is the list of the pieces in which it lies.</summary>
    public bool IsInPieces { get; init; }

    /// <summary>How much longer than others it goes on: who does it may have to fetch something before.</summary>
    public TimeSpan Longer { get; init; }

    /// <summary>Of an Add: by how much. Of a SetRange: from where.</summary>
    public long Number { get; init; }

    /// <summary>Of a change: how long the key is there then.</summary>
    public TimeSpan? Expires { get; init; }

    /// <summary>Of a wait: how long.</summary>
    public TimeSpan Wait { get; init; }

    /// <summary>The same for a value in pieces.</summary>
    public static TimeSpan LongerFor(PieceList list) => TimeSpan.FromSeconds((double)list.Length / SlowestFetch);

    /// <summary>A change that depends on the value that is there.</summary>
    public static Asking Of(KeyValueKey key, in KeyValueChange change) =>
        new()
        {
            Type = change.Kind switch
            {
                KeyValueChangeKind.Add => RequestType.Add,
                KeyValueChangeKind.Append => RequestType.Append,
                KeyValueChangeKind.SetRange => RequestType.SetRange,
                KeyValueChangeKind.Exchange => RequestType.Exchange,
                KeyValueChangeKind.Take => RequestType.Take,
                _ => RequestType.Expire,
            },
            Key = key,
            Condition = change.Condition,
            Metadata = change.Metadata,
            Number = change.Number,
            Expires = change.Expires,
            Value = change.Value,
        };
}
