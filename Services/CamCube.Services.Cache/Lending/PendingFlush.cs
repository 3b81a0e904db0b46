using CamCube.Calls;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Lending;

/// <summary>
/// A key whose copies are being flushed, and the changes of it that wait for that. Owned by <see cref="ChangeGate"/>,
/// which uses it again for another key.
/// </summary>
internal sealed class PendingFlush
{
    /// <summary>The key.</summary>
    public Key MemId { get; private set; }

    /// <summary>Repeated in confirmations: a late one of an earlier flush has another.</summary>
    public ulong Number { get; private set; }

    /// <summary>When the last lease is over.</summary>
    public long UntilNanos { get; private set; }

    /// <summary>When to tell the holders again; once the copies are gone, when to let new ones be.</summary>
    public long NextNanos { get; set; }

    /// <summary>No copies are left. Changes of this server's own clients, which come a little later, are to find it
    /// so.</summary>
    public bool IsDone { get; set; }

    /// <summary>Changes of other servers, in the order in which they came.</summary>
    public List<WaitingCall<CacheHeader>> Changes { get; } = [];

    /// <summary>Questions of this server's own changes.</summary>
    public List<ulong> Own { get; } = [];

    /// <summary>Begins with a key; nothing waits.</summary>
    public void Begin(Key memId, ulong number, long untilNanos, long nextNanos)
    {
        (MemId, Number, UntilNanos, NextNanos, IsDone) = (memId, number, untilNanos, nextNanos, false);
        Changes.Clear();
        Own.Clear();
    }
}
