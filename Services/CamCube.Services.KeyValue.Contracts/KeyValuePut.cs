namespace CamCube.Services.KeyValue;

/// <summary>How a value is put.</summary>
public readonly record struct KeyValuePut
{
    /// <summary>What must be so of the key. Default: nothing.</summary>
    public KeyValueCondition Condition { get; init; }

    /// <summary>How long the key is there, 1 ms at least; null: until it is deleted. Up to 24 days it counts in whole
    /// milliseconds, beyond in whole seconds, rounded up; what is more than 68 years counts as these. It is never
    /// deleted before that; how much later, docs/key-value.md says.</summary>
    public TimeSpan? Expires { get; init; }

    /// <summary>What is kept beside the value and given back with it, at most 4,096 bytes; lent until the operation
    /// ends. Over HTTP: the content type and <c>X-Meta-*</c>.</summary>
    public ReadOnlyMemory<byte> Metadata { get; init; }
}
