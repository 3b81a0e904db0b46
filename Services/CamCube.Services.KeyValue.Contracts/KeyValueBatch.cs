namespace CamCube.Services.KeyValue;

/// <summary>
/// Conditions and changes of keys with the same tag, in the same table, that are made all at once or not at all. Built
/// by one call for each step; keys, values and metadata are lent until <see cref="IKeyValueStore.ApplyAsync"/> is
/// called, which copies them.
/// </summary>
/// <remarks>All conditions are of what is there before the batch. Changes are made in their order, each sees what those
/// before it have made: <c>Put</c> and then <c>Append</c> of the same key make one value. Nobody sees anything in
/// between. Not for several threads.</remarks>
public sealed class KeyValueBatch
{
    private readonly List<KeyValueStep> _steps = [];

    /// <summary>What was added, in its order.</summary>
    public IReadOnlyList<KeyValueStep> Steps => _steps;

    /// <summary>Something must be so of a key, which is not changed by this step.</summary>
    /// <param name="key">The key.</param>
    /// <param name="condition">What must be so.</param>
    public KeyValueBatch If(KeyValueKey key, KeyValueCondition condition) =>
        Add(new KeyValueStep(KeyValueStepKind.Check, key) { Condition = condition });

    /// <summary>Puts a value in the place of what is there.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value, at most <see cref="KeyValueChange.MostBytes"/>.</param>
    /// <param name="put">How.</param>
    public KeyValueBatch Put(KeyValueKey key, ReadOnlyMemory<byte> value, KeyValuePut put = default) =>
        Add(
            new KeyValueStep(KeyValueStepKind.Put, key)
            {
                Condition = put.Condition,
                Value = value,
                Metadata = put.Metadata,
                Expires = put.Expires,
            }
        );

    /// <summary>Deletes a key and its value. Where there is none, that is no reason against the batch, unless the
    /// condition says so.</summary>
    /// <param name="key">The key.</param>
    /// <param name="condition">What must be so of it.</param>
    public KeyValueBatch Delete(KeyValueKey key, KeyValueCondition condition = default) =>
        Add(new KeyValueStep(KeyValueStepKind.Delete, key) { Condition = condition });

    /// <summary>Changes a value by what it is: Add, Append, SetRange or Expire.</summary>
    /// <param name="key">The key.</param>
    /// <param name="change">The change. The sum of an Add is not told: read it.</param>
    /// <exception cref="ArgumentException">It is an Exchange or a Take, which tell an old value: a batch tells none.
    /// </exception>
    public KeyValueBatch Change(KeyValueKey key, KeyValueChange change) =>
        Add(
            new KeyValueStep(KindOf(change.Kind), key)
            {
                Condition = change.Condition,
                Number = change.Number,
                Value = change.Value,
                Expires = change.Expires,
            }
        );

    private static KeyValueStepKind KindOf(KeyValueChangeKind kind) =>
        kind switch
        {
            KeyValueChangeKind.Add => KeyValueStepKind.Add,
            KeyValueChangeKind.Append => KeyValueStepKind.Append,
            KeyValueChangeKind.SetRange => KeyValueStepKind.SetRange,
            KeyValueChangeKind.Expire => KeyValueStepKind.Expire,
            _ => throw new ArgumentException($"{kind} tells an old value, and a batch tells none."),
        };

    private KeyValueBatch Add(in KeyValueStep step)
    {
        _steps.Add(step);
        return this;
    }
}
