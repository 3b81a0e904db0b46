namespace CamCube.Runtime.Core;

/// <summary>
/// Who has to hear from this server, who should have been heard, and what a pause of its own makes of that
/// (docs/link-state.md, "After a pause of its own"). Part of <see cref="LinkStateService"/>. Loop only.
/// </summary>
/// <param name="core">The server.</param>
/// <param name="links">Its links.</param>
/// <param name="detectionNanos">Silence after which a neighbour counts as lost.</param>
internal sealed class Heartbeats(ICoreServer core, NeighbourLink[] links, long detectionNanos)
{
    private readonly long _periodNanos = detectionNanos / 4;
    private readonly long _busyTickNanos = Math.Max(detectionNanos / 8, 1);
    private readonly long _slackNanos = detectionNanos / 16;
    private long _tickAtNanos;

    /// <summary>Since when neighbours may have been heard: the beginning, or the end of this server's last
    /// pause.</summary>
    public long QuietSinceNanos { get; private set; }

    /// <summary>It stood still, and does not know yet of each neighbour whether it is still heard there.</summary>
    public bool IsInDoubt { get; private set; }

    /// <summary>
    /// Until when services may act on keys. A tick that does not come ends it, so that nothing is done after a pause
    /// before it was noticed.
    /// </summary>
    public long TrustedUntilNanos => IsInDoubt ? long.MinValue : _tickAtNanos + _periodNanos;

    /// <summary>The first tick is now.</summary>
    public void Begin(long now) => (QuietSinceNanos, _tickAtNanos) = (now, now);

    /// <summary>Whether the next tick may as well be now: neighbours that do so fall into step, and a process that
    /// sleeps in between wakes once for all of them.</summary>
    public bool IsTickClose(long now) => _tickAtNanos - now <= _slackNanos;

    /// <summary>
    /// Looks whether this server itself stood still: then its neighbours' silence means nothing. Nor does what it knew
    /// of them, and what waited in queues: they may be gone, or have lost it. Until each has heard something that left
    /// after the pause, or is lost, this server does not act on its keys.
    /// </summary>
    public void NoteOwnPause(long now)
    {
        if (now - _tickAtNanos <= _periodNanos)
        {
            return;
        }

        core.ForgiveSilence(now);
        (QuietSinceNanos, _tickAtNanos, IsInDoubt) = (now, now, true);
        foreach (NeighbourLink link in links)
        {
            link.Doubt();
        }
    }

    /// <summary>Ends the doubt if there is none of any link. False: it stays, or there was none.</summary>
    public bool TryEndDoubt()
    {
        if (!IsInDoubt)
        {
            return false;
        }

        foreach (NeighbourLink link in links)
        {
            if (link.IsDoubted)
            {
                return false;
            }
        }

        IsInDoubt = false;
        return true;
    }

    /// <summary>A tick: takes down the links of those who are silent, and marks those to whom something is
    /// due.</summary>
    public void Tick(long now)
    {
        NoteOwnPause(now);
        foreach (NeighbourLink link in links)
        {
            link.MustSend |= link.IsDoubted;
            if (link.Hears && now - Math.Max(core.LastHeardNanos(link.Link), QuietSinceNanos) >= detectionNanos)
            {
                link.Hears = false;
                link.MustSend = true;
                link.TakeDown();
            }

            long sent = core.LastSentNanos(link.Link);
            link.MustSend |= sent == long.MinValue || now - sent >= _periodNanos - _slackNanos;
        }
    }

    /// <summary>When the next tick is due: when somebody has to hear from this server, or should have been
    /// heard.</summary>
    public long NextTick(long now, bool isSteady)
    {
        long due = now + (isSteady ? _periodNanos : _busyTickNanos);
        foreach (NeighbourLink link in links)
        {
            if (link.Hears)
            {
                due = Math.Min(due, Math.Max(core.LastHeardNanos(link.Link), QuietSinceNanos) + detectionNanos);
            }

            // What was asked for in this tick is on its way.
            long sent = core.LastSentNanos(link.Link);
            if (sent >= now - (_periodNanos - _slackNanos))
            {
                due = Math.Min(due, sent + _periodNanos);
            }
        }

        return _tickAtNanos = Math.Max(due, now + 1);
    }
}
