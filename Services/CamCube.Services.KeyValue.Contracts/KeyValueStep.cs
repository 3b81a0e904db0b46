namespace CamCube.Services.KeyValue;

/// <summary>One step of a <see cref="KeyValueBatch"/>.</summary>
/// <param name="Kind">What it does.</param>
/// <param name="Key">To which key.</param>
public readonly record struct KeyValueStep(KeyValueStepKind Kind, KeyValueKey Key)
{
    /// <summary>What must be so of the key before the batch. Default: nothing.</summary>
    public KeyValueCondition Condition { get; init; }

    /// <summary>Of Add: by how much. Of SetRange: where the bytes begin.</summary>
    public long Number { get; init; }

    /// <summary>Of Put, Append and SetRange: the bytes.</summary>
    public ReadOnlyMemory<byte> Value { get; init; }

    /// <summary>Of Put: what is kept beside the value.</summary>
    public ReadOnlyMemory<byte> Metadata { get; init; }

    /// <summary>Of Put and Expire: how long the key is there, as of <see cref="KeyValuePut.Expires"/>.</summary>
    public TimeSpan? Expires { get; init; }
}
