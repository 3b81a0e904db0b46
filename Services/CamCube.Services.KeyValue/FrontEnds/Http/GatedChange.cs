using CamCube.FrontEnds.Http;

namespace CamCube.Services.KeyValue.FrontEnds.Http;

/// <summary>A change on its way through the gate.</summary>
/// <param name="Key">The key.</param>
/// <param name="Conditions">What must be so.</param>
/// <param name="Value">The value; null: the key is deleted.</param>
/// <param name="Metadata">What is kept beside it.</param>
internal sealed record GatedChange(
    KeyValueKey Key,
    ChangeConditions Conditions,
    ReadOnlyMemory<byte>? Value,
    ReadOnlyMemory<byte> Metadata
)
{
    /// <summary>How long the key is there; null: until it is deleted.</summary>
    public TimeSpan? Expires { get; init; }

    private volatile bool _isBegun;

    /// <summary>Whether the store has seen it: what ended without an answer then is unknown.</summary>
    public bool IsBegun => _isBegun;

    /// <summary>The value as it comes; null: it is there, or there is none.</summary>
    public RequestBody? Body { get; init; }

    /// <summary>Makes it. Loop only.</summary>
    public static ValueTask<KeyValueAnswer> MakeAsync(IKeyValueStore store, GatedChange change) =>
        change.Body is { } body ? change.WriteAsync(store, body) : change.ChangeAsync(store);

    private ValueTask<KeyValueAnswer> ChangeAsync(IKeyValueStore store)
    {
        _isBegun = true;
        return Conditions.ChangeAsync(condition =>
            Value is { } value ? store.PutAsync(Key, value, PutUnder(condition)) : store.DeleteAsync(Key, condition)
        );
    }

    private async ValueTask<KeyValueAnswer> WriteAsync(IKeyValueStore store, RequestBody body)
    {
        using IKeyValueWriter writer = store.OpenWrite(Key);
        BodyPiece piece;
        do
        {
            piece = await body.ReadAsync();
            foreach (ReadOnlyMemory<byte> part in piece.Bytes)
            {
                KeyValueStatus status = await writer.WriteAsync(part);
                if (status != KeyValueStatus.Done)
                {
                    return new KeyValueAnswer(status);
                }
            }
        } while (piece.End == BodyEnd.More);

        if (piece.End == BodyEnd.Broken)
        {
            // Whoever sent it is answered so, or gone.
            return new KeyValueAnswer(KeyValueStatus.Unavailable);
        }

        _isBegun = true;
        return await Conditions.ChangeAsync(condition => writer.CommitAsync(PutUnder(condition)));
    }

    private KeyValuePut PutUnder(KeyValueCondition condition) =>
        new()
        {
            Condition = condition,
            Metadata = Metadata,
            Expires = Expires,
        };
}
