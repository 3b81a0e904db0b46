using CamCube.Messaging;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Requests;

/// <summary>What came back for a request. Owns its content until <see cref="OwnedBytes.Return"/>.</summary>
internal struct Answer
{
    /// <summary>False: nothing came.</summary>
    public bool IsThere;

    /// <summary>0 for an answer of a root that did it.</summary>
    public RefusalReason Refusal;

    /// <summary>The key it is about: a restarted service may use a question's number again.</summary>
    public Key MemId;

    /// <summary>The attempt it answers.</summary>
    public byte Attempt;

    /// <summary>Who answered.</summary>
    public Coordinate From;

    /// <summary>Run of who answered.</summary>
    public ulong Run;

    /// <summary>Of refusals: how long that run has lasted.</summary>
    public long UptimeNanos;

    /// <summary>Of refusals: how long to wait.</summary>
    public long WaitNanos;

    /// <summary>Of answers.</summary>
    public CacheReply Reply;

    /// <summary>Of answers: hops that the request made.</summary>
    public int Hops;

    /// <summary>Of answers: head and value that was read.</summary>
    public OwnedBytes Content;
}
