namespace CamCube.Services.KeyValue;

/// <summary>A change that depends on the value that is there, and is worked out where that is.</summary>
public readonly record struct KeyValueChange
{
    /// <summary>Longest value that can be changed, given, or come of it, if the store's longest is not shorter: 64
    /// KiB.</summary>
    public const int MostBytes = 64 << 10;

    /// <summary>What it does.</summary>
    public KeyValueChangeKind Kind { get; private init; }

    /// <summary>Of Add: by how much. Of SetRange: where the bytes begin.</summary>
    public long Number { get; private init; }

    /// <summary>Of Append, SetRange and Exchange: the bytes, lent until the operation ends.</summary>
    public ReadOnlyMemory<byte> Value { get; private init; }

    /// <summary>What must be so of the key. Default: nothing.</summary>
    public KeyValueCondition Condition { get; init; }

    /// <summary>Of Exchange and Expire: how long the key is there from now on, as of <see cref="KeyValuePut.Expires"/>.
    /// All others leave that as it is.</summary>
    public TimeSpan? Expires { get; init; }

    /// <summary>Of Exchange: what is kept beside the new value, as of <see cref="KeyValuePut.Metadata"/>. All others
    /// but Take leave that as it is.</summary>
    public ReadOnlyMemory<byte> Metadata { get; init; }

    /// <summary>Adds to a number of 64 bits with sign, which stands there in decimal digits: <c>-</c> or nothing, and
    /// no zeros in front. Where there is no key, the number is 0. Its sum takes its place, and is the answer's
    /// value.</summary>
    /// <param name="number">By how much.</param>
    public static KeyValueChange Add(long number) => new() { Kind = KeyValueChangeKind.Add, Number = number };

    /// <summary>Puts bytes behind the value; where there is no key, they are the value.</summary>
    public static KeyValueChange Append(ReadOnlyMemory<byte> value) =>
        new() { Kind = KeyValueChangeKind.Append, Value = value };

    /// <summary>Puts bytes over a part of the value, which becomes longer if it has to; between its end and them are
    /// zeros.</summary>
    /// <param name="from">Where they begin, from 0.</param>
    /// <param name="value">The bytes.</param>
    public static KeyValueChange SetRange(long from, ReadOnlyMemory<byte> value) =>
        new()
        {
            Kind = KeyValueChangeKind.SetRange,
            Number = from,
            Value = value,
        };

    /// <summary>Puts a value in the place of the old one, which is the answer's value.</summary>
    public static KeyValueChange Exchange(ReadOnlyMemory<byte> value) =>
        new() { Kind = KeyValueChangeKind.Exchange, Value = value };

    /// <summary>Says anew how long the key is there.</summary>
    /// <param name="time">How long; null: until it is deleted.</param>
    public static KeyValueChange Expire(TimeSpan? time) => new() { Kind = KeyValueChangeKind.Expire, Expires = time };

    /// <summary>Deletes the key; its value is the answer's.</summary>
    public static KeyValueChange Take() => new() { Kind = KeyValueChangeKind.Take };
}
