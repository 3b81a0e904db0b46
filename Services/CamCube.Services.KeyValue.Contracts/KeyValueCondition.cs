namespace CamCube.Services.KeyValue;

/// <summary>What must be so of a key for a change to be made.</summary>
/// <param name="Kind">What is asked.</param>
/// <param name="Version">The version, with <see cref="KeyValueConditionKind.Version"/>.</param>
public readonly record struct KeyValueCondition(KeyValueConditionKind Kind, ulong Version = 0)
{
    /// <summary>There is no such key.</summary>
    public static KeyValueCondition Absent => new(KeyValueConditionKind.Absent);

    /// <summary>There is such a key.</summary>
    public static KeyValueCondition Present => new(KeyValueConditionKind.Present);

    /// <summary>The key has this version.</summary>
    public static KeyValueCondition Is(ulong version) => new(KeyValueConditionKind.Version, version);

    /// <summary>Whether a key fits.</summary>
    /// <param name="version">Its version; 0: there is no such key.</param>
    public bool Fits(ulong version) =>
        Kind switch
        {
            KeyValueConditionKind.Absent => version == 0,
            KeyValueConditionKind.Present => version != 0,
            KeyValueConditionKind.Version => version == Version && version != 0,
            _ => true,
        };
}
