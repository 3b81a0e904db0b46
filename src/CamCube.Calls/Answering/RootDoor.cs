namespace CamCube.Calls;

/// <summary>
/// What a root looks at before it does a change, so that it is done at most once: was it done here, is it meant for
/// this run of this server, and is it in time (docs/cache.md, "At most once"). In this order, for an answer that is
/// remembered is good whatever else holds, and a refusal other than <see cref="RefusalReason.Forgotten"/> says that no
/// attempt was done here. Whether the server may answer for the key at all is asked afterwards
/// (<see cref="Holdings{THeld}"/>). Loop only.
/// </summary>
/// <typeparam name="TReply">An answer.</typeparam>
/// <param name="server">The service's server.</param>
/// <param name="run">Its run: <see cref="Messaging.MessageChannel{THeader}.Run"/>.</param>
/// <param name="known">What was done.</param>
public sealed class RootDoor<TReply>(IServer server, ulong run, IKnownRequests<TReply> known)
{
    /// <summary>Looks.</summary>
    /// <param name="id">The request's id.</param>
    /// <param name="head">What its attempt carries.</param>
    /// <param name="root">The server that it is meant for.</param>
    /// <param name="earlier">The answer, if it was answered.</param>
    /// <param name="refusal">Why it must not be done; None: it may be done now, by this callback.</param>
    public Knowledge Look(
        in RequestId id,
        in CallHead head,
        Coordinate root,
        out TReply? earlier,
        out RefusalReason refusal
    )
    {
        Knowledge knowledge = known.Find(id, out earlier);
        refusal =
            knowledge == Knowledge.Forgotten ? RefusalReason.Forgotten
            : root != server.Coordinate || head.RootRun != run ? RefusalReason.WrongRun
            : server.NowNanos >= head.DeadlineNanos ? RefusalReason.Late
            : RefusalReason.None;
        return knowledge;
    }
}
