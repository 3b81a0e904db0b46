namespace CamCube.Services.KeyValue;

/// <summary>A part of a list of keys. Immutable.</summary>
/// <param name="Status">Done; BadCursor: nobody goes on from there; Unavailable: too few of the servers that have the
/// next keys answer; DataAway: a record of a key cannot be read; BadKey: the prefix is too long, or the table
/// none.</param>
public sealed record KeyValuePage(KeyValueStatus Status)
{
    /// <summary>Longest list of one call.</summary>
    public const int MostKeys = 10_000;

    /// <summary>Keys, in no order; perhaps none, though the list goes on.</summary>
    public IReadOnlyList<KeyValueListing> Keys { get; init; } = [];

    /// <summary>Where the list goes on: letters, digits, <c>-</c> and <c>_</c>. Null: that was all of it.</summary>
    public string? Next { get; init; }
}
