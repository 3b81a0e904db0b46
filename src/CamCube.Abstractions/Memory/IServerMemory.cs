using System.Diagnostics.CodeAnalysis;

namespace CamCube;

/// <summary>
/// The memory that one service may use on one server. Every buffer of a service that can grow is a claim: claims of a
/// service count against its limit, those of all services against the server's, those of all servers of a process
/// against the process's (<c>CamCube:Memory</c>), so that 27 servers of one process share one machine. A claim that
/// does not fit is refused, and what is refused is back-pressure: answer no, grant less, wait. Claims are given back
/// when the instance ends. Loop only.
/// </summary>
public interface IServerMemory
{
    /// <summary>Bytes that this service may claim at most: the least of its own, the server's and the process's
    /// limit.</summary>
    long Limit { get; }

    /// <summary>Bytes that it has claimed.</summary>
    long Claimed { get; }

    /// <summary>Bytes that it could claim now. Other servers of the process may take them meanwhile.</summary>
    long Room { get; }

    /// <summary>Sets bytes apart.</summary>
    /// <param name="name">What for: shown in the status beside the service's name, and in messages about
    /// chunks.</param>
    /// <param name="bytes">How many, from 0; the claim may grow later.</param>
    /// <param name="claim">The claim, empty. The caller's until it is released or the instance ends.</param>
    /// <returns>False: there is not so much left, or the service has stopped. Nothing was taken.</returns>
    bool TryClaim(string name, long bytes, [NotNullWhen(true)] out IMemoryClaim? claim);
}
