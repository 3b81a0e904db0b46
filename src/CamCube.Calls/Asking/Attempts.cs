namespace CamCube.Calls;

/// <summary>
/// What an asking server knows of one call between its attempts: where the next one goes, and whether an earlier
/// one may have been done. Attempts follow one another: the next begins when the deadline of the one before is over on
/// its root's clock, so at most one can be done at a time (docs/cache.md, "At most once").
/// </summary>
internal struct Attempts
{
    // For views to agree, when two servers disagree about who is root.
    private static readonly long RootChangeNanos = (long)TimeSpan.FromMilliseconds(2).TotalNanoseconds;

    /// <summary>Whether it may be done at another root after one did not answer.</summary>
    public bool IsRepeatable;

    /// <summary>Number of the request in all its attempts.</summary>
    public ulong Number;

    /// <summary>When the call began.</summary>
    public long BegunNanos;

    /// <summary>An attempt was meant for <see cref="Root"/> in its run <see cref="Run"/> and nobody said what became of
    /// it.</summary>
    public bool IsUncertain;

    /// <summary>A read that goes as a change, because it changes something or may.</summary>
    public bool GoesAsChange;

    /// <summary>Where the last attempt went, or the next should go.</summary>
    public Coordinate Root;

    /// <summary>The run the last attempt was meant for; 0: not known, then no server does it.</summary>
    public ulong Run;

    /// <summary>Whether a refusal named the server to ask next.</summary>
    private bool _hasHint;

    /// <summary>Whether the next attempt goes to the server that may have done the last one, and to no other.</summary>
    public readonly bool IsBound => IsUncertain && !IsRepeatable;

    /// <summary>Chooses where the next attempt goes. False: the root that may have done it is gone, or runs anew, so
    /// nobody can say any more.</summary>
    public bool ChooseRoot(Key memId, ITopologyView view, KnownRoots known, long nowNanos)
    {
        if (IsBound)
        {
            return view.IsReachable(Root) && known.TryGet(Root, nowNanos, out ulong run, out _) && run == Run;
        }

        if (!_hasHint)
        {
            Root = view.RootOf(memId);
        }

        return true;
    }

    /// <summary>This server is the root itself, and has to wait.</summary>
    public void NoteWait() => _hasHint = false;

    /// <summary>The attempt was not answered.</summary>
    public void NoteSilence()
    {
        IsUncertain |= Run != 0;
        _hasHint = false;
    }

    /// <summary>What a refusal of this attempt means for the next. False: it may have been done, and nobody can say any
    /// more.</summary>
    public bool NoteRefusal(in Refusal refusal, long nowNanos, out long pauseNanos)
    {
        pauseNanos = 0;
        if (refusal.From == Root && refusal.Head.Root.Run == Run && refusal.Reason != RefusalReason.Forgotten)
        {
            // It looked among its answers first: no earlier attempt was done there, and the deadlines of all are over.
            IsUncertain = false;
        }

        _hasHint = false;
        switch (refusal.Reason)
        {
            case RefusalReason.NotYet:
                pauseNanos = Math.Max(0, refusal.Head.WaitNanos);
                return true;
            case RefusalReason.NotRoot:
                pauseNanos = RootChangeNanos;
                return true;
            case RefusalReason.WrongRun:
                // Asking a server for the first time is no reason to wait.
                pauseNanos = Run == 0 ? 0 : RootChangeNanos;
                return NoteRun(refusal, nowNanos);
            case RefusalReason.Forgotten:
                return IsRepeatable;
            case RefusalReason.ComeAsChange:
                GoesAsChange = true;
                return true;
            default:
                return true;
        }
    }

    private bool NoteRun(in Refusal refusal, long nowNanos)
    {
        bool isRestarted = refusal.From == Root && Run != 0;
        bool beganBefore = refusal.Head.UptimeNanos > nowNanos - BegunNanos;
        if (isRestarted && !beganBefore && !IsRepeatable)
        {
            return false;
        }

        // The run that was meant ended before this call began, or never got it. Ask whoever it was that took it,
        // whatever this server's view says: the packet was led there by the views on its way.
        (IsUncertain, Root, _hasHint) = (false, refusal.From, true);
        return true;
    }
}
