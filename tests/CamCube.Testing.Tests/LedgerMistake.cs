namespace CamCube.Testing.Tests;

/// <summary>What is planted in a <see cref="Ledger"/>.</summary>
internal enum LedgerMistake
{
    /// <summary>Nothing: it is right.</summary>
    None,

    /// <summary>Answers first and writes to the disk a little later.</summary>
    LostWrite,

    /// <summary>Who gets no answer at once tells what it saw last.</summary>
    StaleRead,

    /// <summary>Does not remember what it has added.</summary>
    DoubledSum,
}
