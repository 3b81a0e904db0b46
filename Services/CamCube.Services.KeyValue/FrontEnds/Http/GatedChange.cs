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
    private volatile bool _isBegun;

    /// <summary>Whether the store has seen it: what ended without an answer then is unknown.</summary>
    public bool IsBegun => _isBegun;

    /// <summary>Makes it. Loop only.</summary>
    public static ValueTask<KeyValueAnswer> MakeAsync(IKeyValueStore store, GatedChange change)
    {
        change._isBegun = true;
        return change.Conditions.ChangeAsync(condition =>
            change.Value is { } value
                ? store.PutAsync(
                    change.Key,
                    value,
                    new KeyValuePut { Condition = condition, Metadata = change.Metadata }
                )
                : store.DeleteAsync(change.Key, condition)
        );
    }
}
