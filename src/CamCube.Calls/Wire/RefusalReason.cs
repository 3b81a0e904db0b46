namespace CamCube.Calls;

/// <summary>Why a server did not do what it was asked. Each says that this attempt was not and will not be
/// done.</summary>
public enum RefusalReason : byte
{
    /// <summary>It is not refused.</summary>
    None = 0,

    /// <summary>In its own view another server is the root.</summary>
    NotRoot = 1,

    /// <summary>It is the root but must wait (<see cref="RefusalHead.WaitNanos"/>).</summary>
    NotYet = 2,

    /// <summary>The change was meant for another server, or for another run of this one.</summary>
    WrongRun = 3,

    /// <summary>The change came after its deadline.</summary>
    Late = 4,

    /// <summary>The change is older than the answers that are remembered: it may have been done.</summary>
    Forgotten = 5,

    /// <summary>It came as a read and would change something: it is to come as a change, so that it is done
    /// once.</summary>
    ComeAsChange = 6,
}
