namespace CamCube.Runtime.Core;

/// <summary>
/// When a server gives up its keys and when it takes them (back): it returns when it sees the majority of the cube,
/// announces its keys when its services are ready, and takes them when its neighbours, who stand in for it, are known
/// to have heard it.
/// </summary>
/// <param name="core">The server.</param>
/// <param name="onReady">The services are ready and nothing has changed meanwhile: <see cref="Phase"/> became
/// Announced.</param>
/// <param name="onRetry">The services are ready for a return that was abandoned meanwhile.</param>
internal sealed class KeyHandover(ICoreServer core, Action onReady, Action onRetry)
{
    private bool _servicesBusy;
    private long _announcedNanos;

    public KeyPhase Phase { get; private set; }

    /// <summary>The own entry is to say that this server has its keys.</summary>
    public bool IsAnnounced => Phase >= KeyPhase.Announced;

    /// <summary>Keys in hand from the first moment: the cube was commissioned.</summary>
    public void Begin(bool withKeys)
    {
        Phase = withKeys ? KeyPhase.Taken : KeyPhase.Without;
        core.SetHasKeys(withKeys);
    }

    /// <summary>The view or the links changed, or time passed.</summary>
    /// <param name="hasMajority">This server sees the majority.</param>
    /// <param name="mayReturn">It has links enough to know what it sees.</param>
    public void Check(bool hasMajority, bool mayReturn)
    {
        if (!hasMajority)
        {
            bool had = Phase == KeyPhase.Taken;
            Phase = KeyPhase.Without;
            if (had)
            {
                core.SetHasKeys(false);
            }

            return;
        }

        // A return that was abandoned goes on asking the services: the next one waits until they have answered.
        if (Phase == KeyPhase.Without && mayReturn && !_servicesBusy)
        {
            Phase = KeyPhase.Returning;
            _servicesBusy = true;
            core.ReturnServices(ServicesReady);
        }
    }

    /// <summary>
    /// Others took the keys meanwhile: this server was lost to them and did not notice. False: there was nothing to
    /// take.
    /// </summary>
    public bool Revoke()
    {
        if (!IsAnnounced)
        {
            return false;
        }

        bool had = Phase == KeyPhase.Taken;
        Phase = KeyPhase.Without;
        if (had)
        {
            core.SetHasKeys(false);
        }

        return true;
    }

    /// <summary>The own entry with the keys is known here; takes them if the others know it too.</summary>
    /// <param name="isAcknowledged">All neighbours that can be heard have acknowledged the entry.</param>
    /// <param name="areStandInsNeighbours">Only neighbours can have stood in for this server.</param>
    /// <param name="settleNanos">Otherwise: time since the announcement in which the news has reached
    /// everybody.</param>
    /// <param name="nowNanos">The step's time.</param>
    public void TryTake(bool isAcknowledged, bool areStandInsNeighbours, long settleNanos, long nowNanos)
    {
        if (
            Phase == KeyPhase.Announced
            && isAcknowledged
            && (areStandInsNeighbours || nowNanos - _announcedNanos >= settleNanos)
        )
        {
            Phase = KeyPhase.Taken;
            core.SetHasKeys(true);
        }
    }

    private void ServicesReady()
    {
        if (!_servicesBusy)
        {
            return;
        }

        _servicesBusy = false;
        if (Phase != KeyPhase.Returning)
        {
            onRetry();
            return;
        }

        Phase = KeyPhase.Announced;
        _announcedNanos = core.Server.NowNanos;
        onReady();
    }
}
