namespace CamCube.Services.KeyValue.Log;

/// <summary>What opening a log came to.</summary>
/// <param name="State">How it was found.</param>
/// <param name="Words">If it is refused or unreadable, why, in one line.</param>
/// <param name="Log">The log, unless it is refused or unreadable.</param>
internal sealed record LogOpening(LogState State, string Words, StoreLog? Log)
{
    /// <summary>What is wrong with it; empty unless it is damaged.</summary>
    public IReadOnlyList<LogDamage> Damage { get; init; } = [];

    /// <summary>Writes that a power failure had left in part and that were cut off: nobody was told of them.</summary>
    public int Torn { get; init; }

    /// <summary>Records that were found.</summary>
    public long Records { get; init; }
}
