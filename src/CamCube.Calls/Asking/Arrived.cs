using CamCube.Messaging;

namespace CamCube.Calls;

/// <summary>What came back for an attempt. Owns its content until <see cref="OwnedBytes.Return"/>.</summary>
/// <typeparam name="TReply">What comes out of a call.</typeparam>
internal struct Arrived<TReply>
{
    /// <summary>False: nothing came.</summary>
    public bool IsThere;

    /// <summary>The call that it is for.</summary>
    public CallTag Tag;

    /// <summary>If a server did not do it; else its reason is <see cref="RefusalReason.None"/>.</summary>
    public Refusal Refusal;

    /// <summary>Of answers.</summary>
    public TReply Reply;

    /// <summary>Of answers: hops that the request made.</summary>
    public int Hops;

    /// <summary>Of answers.</summary>
    public OwnedBytes Content;
}
