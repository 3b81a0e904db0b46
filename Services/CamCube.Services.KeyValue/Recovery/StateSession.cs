namespace CamCube.Services.KeyValue.Recovery;

/// <summary>A state that another server fetches from here.</summary>
/// <param name="session">The asker's number for it.</param>
/// <param name="keys">Its keys, in the order in which they are sent.</param>
internal sealed class StateSession(ulong session, UInt128[] keys)
{
    public ulong Session => session;

    public UInt128[] Keys => keys;

    /// <summary>What is said of it, in every part.</summary>
    public required Wire.StateChunk Head { get; init; }

    /// <summary>Sent behind the last record.</summary>
    public required Members.BallotRuns Runs { get; init; }

    public long UsedNanos { get; set; }

    /// <summary>A part is being read from the disk.</summary>
    public bool IsBusy { get; set; }
}
