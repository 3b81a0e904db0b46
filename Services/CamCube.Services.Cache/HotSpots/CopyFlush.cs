namespace CamCube.Services.Cache.HotSpots;

/// <summary>A key whose copies are being flushed, and the changes of it that wait for that. Owned by <see cref="ChangeGate"/>.</summary>
internal sealed class CopyFlush(Key memId, ulong number, long untilNanos, long nextNanos)
{
    /// <summary>The key.</summary>
    public Key MemId => memId;

    /// <summary>Repeated in confirmations: a late one of an earlier flush has another.</summary>
    public ulong Number => number;

    /// <summary>When the last lease is over.</summary>
    public long UntilNanos => untilNanos;

    /// <summary>When to tell the holders again; once the copies are gone, when to let new ones be.</summary>
    public long NextNanos { get; set; } = nextNanos;

    /// <summary>No copies are left. Changes of this server's own clients, which come a little later, are to find it so.</summary>
    public bool IsDone { get; set; }

    /// <summary>Changes of other servers, in the order in which they came.</summary>
    public List<WaitingChange> Changes { get; } = [];

    /// <summary>Questions of this server's own changes.</summary>
    public List<ulong> Own { get; } = [];
}
