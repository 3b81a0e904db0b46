using System.Diagnostics.CodeAnalysis;

namespace CamCube;

/// <summary>
/// The packets of a service on its server: where they come from, and how its ownership of one begins and ends
/// (<see cref="IServer.Packets"/>). Loop only.
/// </summary>
public interface IServerPackets
{
    /// <summary>Largest service header plus body, in bytes, that every cable of the cluster carries in one
    /// frame.</summary>
    int MaxPayload { get; }

    /// <summary>Hops a new packet may make (<c>CamCube:HopLimit</c>).</summary>
    ushort DefaultHopLimit { get; }

    /// <summary>
    /// Takes a packet of this service: zeroed header of the declared length, a body of this length with arbitrary
    /// bytes, source here, full hop limit. False: the server's packet budget is used up. That is back-pressure: try
    /// again from a timer, or wait with <see cref="RentAsync"/>, or turn the packet at hand round. The first rent
    /// inside a poll always succeeds.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">A body larger than <see cref="MaxPayload"/> less the
    /// header.</exception>
    bool TryRent(int bodyLength, [NotNullWhen(true)] out Packet? packet);

    /// <summary>Waits until a packet can be had, first come, first served. Null: the service is stopping.</summary>
    ValueTask<Packet?> RentAsync(int bodyLength);

    /// <summary>
    /// A second packet of the caller's with its own header and addresses over the same body (no copy until one of them
    /// is written). The caller owns both. False: the packet budget is used up.
    /// </summary>
    bool TryShare(Packet packet, [NotNullWhen(true)] out Packet? copy);

    /// <summary>Takes the packet of the running callback, whose verdict must then be
    /// <see cref="Verdict.Taken"/>.</summary>
    void Take(Packet packet);

    /// <summary>Ends the caller's ownership of a packet it rented, shared, took or held.</summary>
    void Release(Packet packet);
}
