namespace CamCube.Calls.Tests.Ledgers;

/// <summary>What a client hears.</summary>
public enum LedgerStatus : byte
{
    Done,

    /// <summary>It was not done and will not be.</summary>
    NotDone,

    /// <summary>It was done once, or never.</summary>
    Unknown,
}
