using CamCube.Topology;

namespace CamCube.Runtime.Core;

/// <summary>
/// What the link-state service may do to its server beyond what any service may: it decides which links are up, which
/// view the server routes by, and whether the server has its keys. Loop only. Implemented by the server's runtime; by a
/// small harness in tests.
/// </summary>
internal interface ICoreServer
{
    /// <summary>The ordinary view of the server that every service gets.</summary>
    IServer Server { get; }

    /// <summary>Settings of liveness and flooding.</summary>
    LivenessOptions Liveness { get; }

    /// <summary>
    /// True: the cube was commissioned before this server's first start, so its first view is the whole cube with all
    /// keys in place and only differences are flooded. False: it starts alone and learns the cube by flooding. A server
    /// that starts again after a stop is never commissioned.
    /// </summary>
    bool IsCommissioned { get; }

    /// <summary>Views shared by all servers of this thread: equal views are one object.</summary>
    CubeViewCache Views { get; }

    /// <summary>Server time at which the last frame arrived on a link; long.MinValue if none did.</summary>
    long LastHeardNanos(Link link);

    /// <summary>Server time at which the last frame left on a link; long.MinValue if none did.</summary>
    long LastSentNanos(Link link);

    /// <summary>Counts as hearing now: after a pause of this server itself.</summary>
    void ForgiveSilence(long nowNanos);

    /// <summary>A link came up or went down for all services. The link-state service itself may send on links that are
    /// down.</summary>
    void SetLinkUp(Link link, bool up);

    /// <summary>From now on the server routes by this view; services hear of the differences to the present
    /// one.</summary>
    void SetView(CubeView view);

    /// <summary>Calls <see cref="ICamCubeService.OnReturningAsync"/> of all services, bounded by the return time-out,
    /// then the callback on the loop.</summary>
    void ReturnServices(Action completed);

    /// <summary>Others remember a later run of this server than this one: it takes a later one still, and its other
    /// services begin anew, because their ids would be taken for those of that run.</summary>
    void BeginAnew(ulong incarnation);

    /// <summary>
    /// Whether this server can trust its view. Not yet: it has just begun and heard nobody, so it would take itself for
    /// the only server that lives; packets for keys that would end here wait.
    /// </summary>
    void SetSettled(bool isSettled);

    /// <summary>
    /// Until when this server may act on the keys that it has; at that time and later services see none. Another call
    /// moves it. Nobody is told: the keys are still this server's, it is only not certain.
    /// </summary>
    void TrustKeysUntil(long nanos);

    /// <summary>This server has its keys from now on, or gives them up; services hear KeysTaken or
    /// KeysSuspended.</summary>
    void SetHasKeys(bool hasKeys);
}
